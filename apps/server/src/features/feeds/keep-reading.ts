import { createHash } from 'node:crypto';
import { FEED_SENDERS, type FeedRefusal, type FeedSender } from '@assay/contract';
import type { BounceFinding, SentEvent } from '@assay/verifier/bounces';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordActivity } from '../activity/index.ts';
import type { FeedParts } from './feeds.service.ts';
import { type CalledFeed, setConfirmed, useSignature } from './feeds.store.ts';
import type { FeedReading } from './read-feed-body.ts';
import { type Sns, SnsAway } from './sns/check-message.ts';
import type { SnsMessage } from './sns/sns-message.ts';

/** What a sender says of one recipient. */
interface SentOutcome {
  readonly email: string;
  readonly finding: Omit<BounceFinding, 'recipient'>;
  readonly at: Date;
  /** The same whenever the sender repeats the event. */
  readonly eventId: string | undefined;
}

/** Keeps each outcome once. What it has kept before changes nothing. */
type RecordOutcomes = (
  ownerId: AccountId,
  origin: { readonly source: FeedSender; readonly sourceId: string },
  outcomes: readonly SentOutcome[],
) => Promise<unknown>;

export interface KeepParts {
  readonly sns: Sns;
  readonly recordOutcomes: RecordOutcomes;
}

export type KeptReading =
  | { readonly refusal: FeedRefusal }
  | {
      readonly refusal?: undefined;
      readonly takenCount: number;
      /** Events that name no recipient or no date. */
      readonly withoutRecipient: number;
    };

/** Keeps what a sender says, after the last part of its proof. It is committed when this resolves. */
export async function keepReading(
  parts: FeedParts & KeepParts,
  feed: CalledFeed,
  reading: FeedReading,
  body: Buffer,
): Promise<KeptReading> {
  if (reading.refusal) return reading;
  const { events, message, singleUse } = reading;
  const refusal = message && (await checkMessage(parts, feed, message));
  if (refusal) return { refusal };
  const key = { ownerId: feed.owner_id, id: feed.id };
  if (singleUse) {
    const use = await useSignature(parts.db, key, {
      tokenHash: hashOf(singleUse.token),
      bodyHash: hashOf(body),
      keptUntil: new Date(singleUse.keptUntilMs),
    });
    if (use === 'for another body') return { refusal: 'repeated_signature' };
  }
  const said = events.filter(({ isOpenOrClick, reason }) => !isOpenOrClick && reason !== 'no_report');
  const latest = parts.clock.now().getTime() + aheadMs;
  const outcomes = said.flatMap((event) => outcomeOf(event, latest) ?? []);
  if (outcomes.length > 0) {
    await parts.recordOutcomes(key.ownerId, { source: feed.sender, sourceId: key.id }, outcomes);
  }
  return { takenCount: events.length, withoutRecipient: said.length - outcomes.length };
}

/** The clocks of senders are not always right. */
const aheadMs = 86_400_000;

function outcomeOf(event: SentEvent, latest: number): SentOutcome | undefined {
  const { recipient, at, id, isOpenOrClick: _, ...finding } = event;
  if (recipient === null || at === null || at > latest) return undefined;
  return { email: recipient, finding, at: new Date(at), eventId: id === null ? undefined : shortId(id) };
}

const eventIdLengthMax = 200;
const shortId = (id: string): string => (id.length <= eventIdLengthMax ? id : hashOf(id));
const hashOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Amazon may send a confirmation again. */
async function noteConfirmed(db: Db, feed: CalledFeed, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await setConfirmed(tx, { ownerId: feed.owner_id, id: feed.id }, now);
    if (feed.confirmed_at !== null) return;
    const about = FEED_SENDERS[feed.sender];
    await recordActivity(tx, { accountId: feed.owner_id }, { kind: 'feed.confirmed', about, now });
  });
}

async function checkMessage(
  { db, clock, sns }: FeedParts & KeepParts,
  feed: CalledFeed,
  message: SnsMessage,
): Promise<FeedRefusal | null> {
  try {
    const refusal = await sns.check(message, feed.topic_arn);
    if (refusal) return refusal;
    const isConfirmation = message.Type === 'SubscriptionConfirmation';
    const unconfirmed = isConfirmation ? await sns.confirm(message) : null;
    if (unconfirmed) return unconfirmed;
    const now = clock.now();
    if (isConfirmation) await noteConfirmed(db, feed, now);
    const isEnded = message.Type === 'UnsubscribeConfirmation';
    if (isEnded) await setConfirmed(db, { ownerId: feed.owner_id, id: feed.id }, null);
    return null;
  } catch (error) {
    if (error instanceof SnsAway)
      throw new AppError('service_unavailable', { feedId: feed.id }, { cause: error });
    throw error;
  }
}
