import { randomUUID } from 'node:crypto';
import {
  type ActivityKind,
  API_BASE,
  FEED_SECRET_OF,
  FEED_SENDERS,
  FEEDS,
  type Feed,
  type FeedSender,
} from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import { maskSecret } from '../../platform/crypto/mask-secret.ts';
import {
  openSecret,
  previousSecretUntil,
  replaceSecret,
  sealSecret,
} from '../../platform/crypto/rotated-secrets.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { lockForCounting } from '../accounts/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import { newFeedSecret } from './feed-secret.ts';
import {
  countFeeds,
  deleteFeed,
  type FeedKey,
  type FeedRow,
  feedSecrets,
  findFeedsOf,
  findRefusalsOf,
  insertFeed,
  updateTopic,
} from './feeds.store.ts';
import { readResendKey } from './proofs/resend.ts';
import { readSendGridKey } from './proofs/sendgrid.ts';

export interface FeedParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly publicUrl: string;
}

export const feedUrl = (publicUrl: string, id: string): string =>
  new URL(`${API_BASE}/outcomes/feeds/${id}`, publicUrl).href;

export async function listFeeds(parts: FeedParts, ownerId: AccountId): Promise<Feed[]> {
  const rows = await findFeedsOf(parts.db, ownerId);
  const refusals = rows.length > 0 ? await findRefusalsOf(parts.db, ownerId) : [];
  return rows.map((row) => ({
    ...feedAnswer(parts, row),
    refusals: refusals
      .filter(({ feed_id }) => feed_id === row.id)
      .map(({ reason, refused_count, last_at }) => ({
        reason,
        count: refused_count,
        last_date: last_at.toISOString(),
      })),
  }));
}

/** The feeds without their secrets. */
export async function describeFeeds(db: Db, ownerId: AccountId): Promise<object[]> {
  const rows = await findFeedsOf(db, ownerId);
  return rows.map(({ id, sender, topic_arn, taken_events, last_event_at, created_at }) => ({
    id,
    sender,
    topic_arn,
    taken_events,
    last_event_date: last_event_at,
    creation_date: created_at,
  }));
}

export interface NewFeed {
  readonly sender: FeedSender;
  readonly key?: string | undefined;
  readonly topicArn?: string | undefined;
}

export async function createFeed(
  parts: FeedParts,
  actor: Actor,
  { sender, key, topicArn }: NewFeed,
): Promise<Feed> {
  const { clock, secrets } = parts;
  const ownerId = actor.accountId;
  const id = randomUUID();
  requireTopicOfSes(sender, topicArn);
  const secret = FEED_SECRET_OF[sender] === 'ours' ? refuseKey(key) : key && fittingKey(sender, key);
  const feed = await recorded(parts, actor, { kind: 'feed.created', feed: { ownerId, id } }, async (tx) => {
    // So that simultaneous calls see each other's feeds.
    await lockForCounting(tx, ownerId);
    if ((await countFeeds(tx, ownerId)) >= FEEDS.countMax) throw new AppError('too_many_feeds', { ownerId });
    await insertFeed(tx, {
      ownerId,
      id,
      sender,
      sealedSecret: secret ? sealSecret(secrets, feedSecrets, id, secret) : null,
      topicArn: topicArn ?? null,
      now: clock.now(),
    });
  });
  return withSecret(feed, secret);
}

/** The secret of ours is shown once. */
const withSecret = (feed: Feed, secret: string | undefined): Feed =>
  secret !== undefined && FEED_SECRET_OF[feed.sender] === 'ours' ? { ...feed, secret } : feed;

function requireTopicOfSes(sender: FeedSender, topicArn: string | undefined): void {
  if ((sender === 'ses') === (topicArn !== undefined)) return;
  throw invalid('topic_arn', sender === 'ses' ? 'Topic required' : 'Only Amazon SES has a topic');
}

function refuseKey(key: string | undefined): string {
  if (key === undefined) return newFeedSecret();
  throw invalid('key', 'This sender signs nothing: leave the key out, and give it our secret');
}

function fittingKey(sender: FeedSender, key: string): string {
  if (sender === 'sendgrid' && !readSendGridKey(key)) {
    throw invalid('key', 'Enter the verification key of SendGrid, as its page shows it');
  }
  if (sender === 'resend' && !readResendKey(key)) {
    throw invalid('key', 'Enter the signing secret of Resend, which begins with whsec_');
  }
  return key;
}

const invalid = (field: string, text: string): AppError =>
  new AppError('invalid_request', { fields: [field] }, { text, meta: { field } });

/** Changes a feed and records the change together. */
async function recorded(
  parts: FeedParts,
  actor: Actor,
  { kind, feed }: { readonly kind: ActivityKind; readonly feed: FeedKey },
  change: (tx: Tx, before: FeedRow | undefined) => Promise<void>,
): Promise<Feed> {
  return parts.db.transaction().execute(async (tx) => {
    const find = async () => (await findFeedsOf(tx, feed.ownerId)).find(({ id }) => id === feed.id);
    await change(tx, await find());
    const row = await find();
    if (!row) throw notFound(feed);
    await recordActivity(tx, actor, { kind, about: FEED_SENDERS[row.sender], now: parts.clock.now() });
    return feedAnswer(parts, row);
  });
}

/** Gives the key of the sender, or the topic. */
export async function changeFeed(
  parts: FeedParts,
  actor: Actor,
  { id, key, topicArn }: { id: string; key?: string | undefined; topicArn?: string | undefined },
): Promise<Feed> {
  const feed = { ownerId: actor.accountId, id };
  return recorded(parts, actor, { kind: 'feed.changed', feed }, async (tx, before) => {
    if (!before) throw notFound(feed);
    if (topicArn !== undefined) {
      requireTopicOfSes(before.sender, topicArn);
      await updateTopic(tx, feed, topicArn);
    }
    if (key === undefined) return;
    if (FEED_SECRET_OF[before.sender] === 'ours') refuseKey(key);
    await replaceBy(parts, tx, feed, fittingKey(before.sender, key));
  });
}

function replaceBy({ secrets, clock }: FeedParts, tx: Tx, feed: FeedKey, secret: string): Promise<void> {
  const sealedSecret = sealSecret(secrets, feedSecrets, feed.id, secret);
  return replaceSecret(tx, feedSecrets, { ...feed, sealedSecret, now: clock.now() });
}

export async function rotateFeedSecret(parts: FeedParts, actor: Actor, id: string): Promise<Feed> {
  const place = { ownerId: actor.accountId, id };
  const secret = newFeedSecret();
  const feed = await recorded(
    parts,
    actor,
    { kind: 'feed.secret_replaced', feed: place },
    async (tx, before) => {
      if (!before) throw notFound(place);
      if (FEED_SECRET_OF[before.sender] !== 'ours') throw new AppError('feed_secret_of_sender');
      await replaceBy(parts, tx, place, secret);
    },
  );
  return withSecret(feed, secret);
}

export async function removeFeed({ db, clock }: FeedParts, actor: Actor, id: string): Promise<void> {
  const feed = { ownerId: actor.accountId, id };
  await db.transaction().execute(async (tx) => {
    const sender = await deleteFeed(tx, feed);
    if (sender === undefined) throw notFound(feed);
    await recordActivity(tx, actor, {
      kind: 'feed.deleted',
      about: FEED_SENDERS[sender],
      now: clock.now(),
    });
  });
}

const notFound = ({ id }: FeedKey): AppError => new AppError('feed_not_found', { feedId: id });

function feedAnswer({ secrets, clock, publicUrl }: FeedParts, row: FeedRow): Feed {
  const now = clock.now();
  return {
    id: row.id,
    sender: row.sender,
    url: feedUrl(publicUrl, row.id),
    secret:
      row.sealed_secret === null
        ? null
        : maskSecret(openSecret(secrets, feedSecrets, row.id, row.sealed_secret), ''),
    previous_secret_until: previousSecretUntil(row, now)?.toISOString() ?? null,
    topic_arn: row.topic_arn,
    confirmation_date: row.confirmed_at?.toISOString() ?? null,
    taken_events: row.taken_events,
    last_event_date: row.last_event_at?.toISOString() ?? null,
    refusals: [],
    creation_date: row.created_at.toISOString(),
  };
}
