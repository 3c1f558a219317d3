import { feedsRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../platform/http/index.ts';
import {
  changeFeed,
  createFeed,
  type FeedParts,
  listFeeds,
  removeFeed,
  rotateFeedSecret,
} from './feeds.service.ts';
import { type ReceiveParts, registerReceiving } from './receive.routes.ts';

export function registerFeedsRoutes(app: FastifyInstance, parts: FeedParts & ReceiveParts): void {
  registerReceiving(app, parts);
  registerRoute(app, feedsRoutes.listFeeds, async ({ caller }) => ({
    results: await listFeeds(parts, caller.accountId),
  }));
  registerRoute(app, feedsRoutes.createFeed, ({ caller, body: { sender, key, topic_arn } }) =>
    createFeed(parts, caller, { sender, key, topicArn: topic_arn }),
  );
  registerRoute(app, feedsRoutes.updateFeed, ({ caller, params, body: { key, topic_arn } }) =>
    changeFeed(parts, caller, { id: params.id, key, topicArn: topic_arn }),
  );
  registerRoute(app, feedsRoutes.rotateFeedSecret, ({ caller, params }) =>
    rotateFeedSecret(parts, caller, params.id),
  );
  registerRoute(app, feedsRoutes.deleteFeed, async ({ caller, params }) => {
    await removeFeed(parts, caller, params.id);
    return null;
  });
}
