import * as z from 'zod/mini';
import { dateTimeSchema, idSchema, nothingSchema } from '../fields.ts';
import {
  FEED_REFUSALS,
  FEED_SENDERS,
  FEEDS,
  type FeedRefusal,
  type FeedSender,
} from '../names/feed-senders.ts';
import { defineRoute } from '../route.ts';

const tag = 'Feeds';

export const feedSenderSchema = z.enum(Object.keys(FEED_SENDERS) as [FeedSender, ...FeedSender[]]);

/** The server checks its form, which differs between senders. */
export const feedKeySchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Key required'),
    z.maxLength(FEEDS.keyLengthMax, `Key requires no more than ${FEEDS.keyLengthMax} characters`),
  );

export const topicArnSchema = z
  .string()
  .check(
    z.trim(),
    z.maxLength(400),
    z.regex(
      /^arn:aws(?:-cn|-us-gov)?:sns:[a-z]{2}(?:-[a-z]+){1,3}-\d{1,2}:\d{12}:[\w-]{1,256}$/,
      'Enter the ARN of a topic, such as arn:aws:sns:eu-west-1:123456789012:bounces',
    ),
  );

export const feedSchema = z.object({
  id: idSchema,
  sender: feedSenderSchema,
  /** Where the sender posts to. */
  url: z.string(),
  /** In full if it is ours and new; else `…` and its last four characters. Null if the sender's key is still missing. */
  secret: z.nullable(z.string()),
  /** Until when a replaced secret or key is still good; null if none is. */
  previous_secret_until: z.nullable(dateTimeSchema),
  /** The SNS topic, for Amazon SES. */
  topic_arn: z.nullable(z.string()),
  /** When the SNS subscription was confirmed. */
  confirmation_date: z.nullable(dateTimeSchema),
  /** Events that were kept or needed nothing to be kept. */
  taken_events: z.number(),
  last_event_date: z.nullable(dateTimeSchema),
  refusals: z.array(
    z.object({
      reason: z.enum(Object.keys(FEED_REFUSALS) as [FeedRefusal, ...FeedRefusal[]]),
      count: z.number(),
      last_date: dateTimeSchema,
    }),
  ),
  creation_date: dateTimeSchema,
});
export type Feed = z.output<typeof feedSchema>;

const feedParams = z.strictObject({ id: idSchema });
const call = { auth: 'user_or_key', keyScope: 'manage_feeds', leastRole: 'admin', tag } as const;

export const feedsRoutes = {
  listFeeds: defineRoute({
    ...call,
    method: 'GET',
    path: '/outcomes/feeds',
    summary: 'List your feeds, oldest first',
    success: { status: 200, schema: z.object({ results: z.array(feedSchema) }) },
  }),
  createFeed: defineRoute({
    ...call,
    method: 'POST',
    path: '/outcomes/feeds',
    summary: 'Create a feed; a secret of ours is in this answer only',
    body: z.strictObject({
      sender: feedSenderSchema,
      key: z.optional(feedKeySchema),
      topic_arn: z.optional(topicArnSchema),
    }),
    success: { status: 201, schema: feedSchema },
  }),
  updateFeed: defineRoute({
    ...call,
    method: 'PUT',
    path: '/outcomes/feeds/:id',
    summary: 'Give the key with which the sender signs, or the SNS topic',
    params: feedParams,
    body: z.strictObject({ key: z.optional(feedKeySchema), topic_arn: z.optional(topicArnSchema) }).check(
      z.refine(({ key, topic_arn }) => (key === undefined) !== (topic_arn === undefined), {
        error: 'Give the key or the topic',
        path: ['key'],
      }),
    ),
    success: { status: 200, schema: feedSchema },
  }),
  rotateFeedSecret: defineRoute({
    ...call,
    method: 'POST',
    path: '/outcomes/feeds/:id/secret',
    summary: 'Replace a secret of ours; for a day the old one is good too',
    params: feedParams,
    success: { status: 200, schema: feedSchema },
  }),
  deleteFeed: defineRoute({
    ...call,
    method: 'DELETE',
    path: '/outcomes/feeds/:id',
    summary: 'Delete the feed; what it brought stays',
    params: feedParams,
    success: { status: 204, schema: nothingSchema },
  }),
};
