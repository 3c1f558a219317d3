import { FEED_REFUSALS, FEED_SECRET_OF, type FeedRefusal } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Batch } from '../../platform/batch.ts';
import { goodSecrets } from '../../platform/crypto/rotated-secrets.ts';
import { onBehalfOf } from '../../platform/database/fair-pool.ts';
import { shareLookups } from '../../platform/database/share-lookups.ts';
import { AppError, tooManyRequests } from '../../platform/errors/index.ts';
import { callerNetwork, countForgeries } from '../../platform/http/index.ts';
import {
  type AllowanceStore,
  createConcurrencyLimit,
  createSharedAllowance,
} from '../../platform/limits/index.ts';
import type { Logger } from '../../platform/logging/index.ts';
import type { ReadingPool } from '../../platform/reading/index.ts';
import { type FeedParts, feedUrl } from './feeds.service.ts';
import { type CalledFeed, type FeedNews, feedSecrets, findCalledFeeds, noteNews } from './feeds.store.ts';
import { type KeepParts, keepReading } from './keep-reading.ts';
import { hasSecret } from './proofs/shared-secret.ts';
import { readFeedBody, readFeedBodyJob } from './read-feed-body.ts';
import type { Sns } from './sns/check-message.ts';

export interface ReceiveParts extends KeepParts {
  readonly allowances: AllowanceStore;
  readonly logger: Logger;
  readonly readingPool: ReadingPool;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The feed that a sender calls. */
    feed: CalledFeed | null;
  }
}

const bodyBytesMax = 5_000_000;
/** Thirty a second: a sender that posts each event by itself, for a customer with a million mails a day. */
const callsPerMinute = 1_800;
const throttledPart = 10;
/** Bodies that one customer's senders may have on the way. */
const bodiesAtOnce = 10;
/** Reading a longer body takes so long that it would delay other calls. */
const inPlaceBytesMax = 4_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What `FeedCall` needs. */
const headerNames = [
  'x-twilio-email-event-webhook-timestamp',
  'x-twilio-email-event-webhook-signature',
  'svix-id',
  'svix-timestamp',
  'svix-signature',
  'x-mandrill-signature',
  'x-amz-sns-message-type',
  'x-amz-sns-rawdelivery',
  'authorization',
  'x-assay-feed-secret',
];

/**
 * Receives the events of senders. This route is not in the contract: each sender has a form and a proof of its own. What is answered
 * with 200 is kept; anything else makes the sender repeat it.
 */
export function registerReceiving(
  app: FastifyInstance,
  parts: FeedParts & ReceiveParts & { sns: Sns },
): void {
  const { db, clock, secrets } = parts;
  const findFeed = shareLookups((ids: readonly string[]) => findCalledFeeds(db, ids));
  const forgeries = countForgeries(clock);
  const allowance = (policy: string, max: number) =>
    createSharedAllowance({ store: parts.allowances, clock }, { policy, max, windowSeconds: 60 });
  const calls = allowance('feed', callsPerMinute);
  const throttledCalls = allowance('throttled_feed', callsPerMinute / throttledPart);
  const bodies = createConcurrencyLimit(bodiesAtOnce, 'Too many events at once. Send them again.');
  const news = new Batch<FeedNews>({ call: (all) => noteNews(db, all, clock.now()), waitMaxMs: 0 });
  const note = (one: FeedNews): Promise<void> =>
    news
      .add(one)
      .catch((error) => parts.logger.warn({ err: error, feed_id: one.id }, 'could not count events'));
  app.addHook('onClose', () => news.close());

  async function refuse(feed: CalledFeed, refusal: FeedRefusal): Promise<never> {
    await note({ ownerId: feed.owner_id, id: feed.id, refusal });
    throw errorOf(refusal, feed);
  }

  async function findCalled(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const id = (request.params as { feed_id: string }).feed_id.toLowerCase();
    // Counted for each feed apart: many customers of a sender share its addresses.
    const forger = forgerOf(request, id);
    await forgeries.refuseForger(forger, reply);
    const feed = uuid.test(id) ? await findFeed(id) : undefined;
    if (!feed) throw new AppError('feed_not_found', { feedId: id.slice(0, 36) });
    if (feed.standing === 'suspended') throw new AppError('account_suspended', { ownerId: feed.owner_id });
    request.feed = feed;
    if (request.method === 'HEAD') return;
    const { isExceeded, secondsLeft } = await (feed.standing === 'throttled' ? throttledCalls : calls).take(
      id,
    );
    if (isExceeded) {
      await note({ ownerId: feed.owner_id, id, refusal: 'too_many' });
      throw tooManyRequests(secondsLeft);
    }
    await requireProofOfHeaders(feed, request, reply);
    const free = bodies.take(feed.owner_id);
    reply.raw.once('close', free);
  }

  /** What can be refused before the body is read. */
  async function requireProofOfHeaders(
    feed: CalledFeed,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const good = goodSecrets(secrets, feedSecrets, feed, clock.now());
    // The empty list with which Mandrill tries an address is in the body.
    if (good.length === 0 && feed.sender !== 'mandrill') await refuse(feed, 'no_key');
    if (FEED_SECRET_OF[feed.sender] !== 'ours') return;
    if (hasSecret({ headers: headersOf(request), secrets: good })) return;
    reply.header('connection', 'close');
    // SNS sends name and password only after it was asked for them, so a call without them is no attack.
    reply.header('www-authenticate', 'Basic realm="assay"');
    if (feed.sender === 'ses' && request.headers.authorization === undefined)
      throw new AppError('feed_not_genuine', { feedId: feed.id });
    forgeries.add(forgerOf(request, feed.id));
    await refuse(feed, 'not_genuine');
  }

  async function receive(request: FastifyRequest, feed: CalledFeed): Promise<void> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const call = {
      headers: headersOf(request),
      url: feedUrl(parts.publicUrl, feed.id),
      secrets: goodSecrets(secrets, feedSecrets, feed, clock.now()),
      nowMs: clock.now().getTime(),
    };
    const { owner_id: ownerId, sender } = feed;
    const file = { ownerId, byteCount: Math.max(body.length, longBytes), bytes: inOnePiece(body) };
    const reading =
      body.length <= inPlaceBytesMax
        ? readFeedBody(sender, { ...call, body })
        : await parts.readingPool.read(readFeedBodyJob, file, { ...call, sender }).result;
    const kept = await keepReading(parts, feed, reading, body);
    if (kept.refusal) {
      const isForged = kept.refusal !== 'not_readable' && kept.refusal !== 'confirmation_failed';
      if (isForged) forgeries.add(forgerOf(request, feed.id));
      const isWithoutKey = kept.refusal === 'not_genuine' && feed.sealed_secret === null;
      await refuse(feed, isWithoutKey ? 'no_key' : kept.refusal);
    } else {
      for (let at = 0; at < kept.withoutRecipient; at += 1)
        void note({ ownerId, id: feed.id, refusal: 'without_recipient' });
      await note({ ownerId, id: feed.id, takenCount: kept.takenCount });
    }
  }

  app.register(async (scope) => {
    scope.decorateRequest('feed', null);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', findCalled);
    scope.addHook('onError', async ({ feed }, _reply, error) => {
      if (feed && (error as { statusCode?: number }).statusCode === 413)
        await note({ ownerId: feed.owner_id, id: feed.id, refusal: 'too_large' });
    });
    scope.route({
      method: ['HEAD', 'POST'],
      url: '/outcomes/feeds/:feed_id',
      config: { auth: 'public', isForSenders: true },
      bodyLimit: bodyBytesMax,
      schema: { hide: true },
      handler: async (request, reply) => {
        const { feed } = request;
        if (!feed) throw new AppError('feed_not_found');
        if (request.method === 'POST') await onBehalfOf(feed.owner_id, () => receive(request, feed));
        return reply.send({});
      },
    });
  });
}

const forgerOf = ({ ip }: FastifyRequest, feedId: string): string =>
  `${callerNetwork(ip)} ${feedId.slice(0, 36)}`;

const headersOf = ({ headers }: FastifyRequest): Record<string, string | undefined> =>
  Object.fromEntries(
    headerNames.map((name) => {
      const value = headers[name];
      return [name, typeof value === 'string' ? value : undefined];
    }),
  );

const errorOf = (refusal: FeedRefusal, { id }: CalledFeed): AppError =>
  new AppError(
    refusal === 'not_readable' ? 'feed_not_readable' : 'feed_not_genuine',
    { feedId: id, refusal },
    { text: FEED_REFUSALS[refusal] },
  );

/** The reading pool reads shorter files in place. */
const longBytes = 10_000;

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
