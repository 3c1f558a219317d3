import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Db } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/publish.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob, inOrderOf } from '../webhooks.jobs.ts';
import { findWebhook, type SigningWebhook } from '../webhooks.store.ts';
import { type DeliveryToSend, failOlderThan, findOldestWaiting, writeAttempt } from './deliveries.store.ts';
import { type PostOptions, type PostOutcome, postEvent } from './post-event.ts';
import { signedPost } from './signed-post.ts';
import { endTurn, keepTurn, type Turn, takeTurn } from './turn.store.ts';

export interface DeliveryParts extends PostOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly secrets: Secrets;
  /** The wait after this many failed attempts at one event. */
  readonly waitMs?: (attempts: number) => number;
}

/** Events older than this are given up when a try fails. */
export const giveUpAfterMs = 3 * 86_400_000;
/** After this many events the job ends and enqueues another, so that other webhooks get their turn. */
const runLengthMax = 50;

const waitsMs = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
const longestWaitMs = 3_600_000;
export const defaultWaitMs = (attempts: number): number => waitsMs[attempts - 1] ?? longestWaitMs;

/**
 * Sends a webhook's events, oldest first, one at a time. A failed event stays at the head and is tried
 * again after a wait: nothing overtakes it, so a receiver that was down gets everything in order.
 * See docs/decisions/webhooks-in-order.md.
 */
export async function deliverInOrder(parts: DeliveryParts, turn: Turn, signal: AbortSignal): Promise<void> {
  const { db, clock, secrets } = parts;
  if (!(await takeTurn(db, turn))) return;

  for (let sent = 0; sent < runLengthMax; sent += 1) {
    const next = await findNext(parts, turn);
    if (!next) return;
    const request = signedPost(secrets, next.webhook, next.delivery, clock.now());
    const outcome = await postEvent(request, parts, signal);
    const mayGoOn = await recordOutcome(parts, turn, next, outcome);
    if (!mayGoOn) return;
  }
  await comeBack(parts, turn);
}

interface NextEvent {
  readonly webhook: SigningWebhook;
  readonly delivery: DeliveryToSend;
}

/** Finds the oldest waiting event. If there is none, ends the turn in the same transaction, so that no event is missed. */
function findNext({ db }: DeliveryParts, turn: Turn): Promise<NextEvent | null> {
  return db.transaction().execute(async (tx) => {
    if (!(await keepTurn(tx, turn))) return null;
    const webhook = await findWebhook(tx, turn);
    const delivery = await findOldestWaiting(tx, turn);
    if (webhook && delivery) return { webhook, delivery };
    await endTurn(tx, { ...turn, dueInMs: null });
    return null;
  });
}

/** Returns whether the next event may be sent at once. */
function recordOutcome(
  { db, clock, queue, waitMs = defaultWaitMs }: DeliveryParts,
  turn: Turn,
  { webhook, delivery }: NextEvent,
  outcome: PostOutcome,
): Promise<boolean> {
  const now = clock.now();
  const { ownerId } = turn;
  return db.transaction().execute(async (tx) => {
    const deliveredAt = outcome.isDelivered ? now : undefined;
    if (!(await keepTurn(tx, turn, { deliveredAt }))) return false;
    // A failure of the old URL says nothing about the new one, which waiting events go to at once.
    const isMoved = !outcome.isDelivered && (await findWebhook(tx, turn))?.url !== webhook.url;
    const isOver = outcome.isRefused || now.getTime() - delivery.created_at.getTime() >= giveUpAfterMs;
    const status = outcome.isDelivered ? 'DELIVERED' : isOver && !isMoved ? 'FAILED' : 'PENDING';
    await writeAttempt(tx, { ownerId, id: delivery.id }, { ...outcome, status, now });
    await publishEvent(tx, ownerId, { event_type: 'refresh_webhooks', event_metadata: {} });
    if (outcome.isDelivered || outcome.isRefused || isMoved) return true;

    await failOlderThan(tx, {
      ...turn,
      createdBefore: new Date(now.getTime() - giveUpAfterMs),
      error: 'Not delivered within 3 days.',
    });
    const wait = Math.max(waitMs(delivery.attempts + 1), Math.min(outcome.retryAfterMs ?? 0, longestWaitMs));
    await endTurn(tx, { ...turn, dueInMs: wait });
    await queue.enqueue(tx, deliverInOrderJob, inOrderOf(turn), { afterMs: wait });
    return false;
  });
}

function comeBack({ db, queue }: DeliveryParts, turn: Turn): Promise<void> {
  return db.transaction().execute(async (tx) => {
    if (!(await keepTurn(tx, turn))) return;
    await endTurn(tx, { ...turn, dueInMs: 0 });
    await queue.enqueue(tx, deliverInOrderJob, inOrderOf(turn));
  });
}
