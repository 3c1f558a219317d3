import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import {
  endOfMonth,
  findBalanceNews,
  takeLowBalance,
  takeReachedCap,
  takeTopUpStop,
} from '../billing/index.ts';
import { queueEvent } from '../webhooks/index.ts';
import { mailBalanceNewsJob } from './notices.jobs.ts';

interface WatchParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly mail: { readonly relayUrl: string | null };
}

const customersPerRun = 1_000;

/** Looks for balances that fell below a threshold and top-ups that stopped, in case a request to look was lost. */
export async function watchBalances(parts: WatchParts, signal: AbortSignal): Promise<void> {
  const news = await findBalanceNews(parts.db, { now: parts.clock.now(), limit: customersPerRun });
  let failure: unknown;
  for (const ownerId of news) {
    if (signal.aborted) return;
    // One that fails keeps no other waiting.
    await watchBalance(parts, ownerId).catch((error) => {
      failure ??= error;
    });
  }
  if (failure) throw failure;
}

/** Sends what is new about a customer's balance, in the transaction that takes it, so that each is sent once. */
export const watchBalance = ({ db, clock, queue, mail }: WatchParts, ownerId: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now();
    const low = await takeLowBalance(tx, { ownerId, now });
    const stoppedBecause = await takeTopUpStop(tx, ownerId);
    const cap = await takeReachedCap(tx, ownerId);
    const reachedCap = cap && { capCents: cap.capCents, until: endOfMonth(cap.reachedAt).toISOString() };
    if (mail.relayUrl !== null && (low || stoppedBecause || reachedCap)) {
      await queue.enqueue(tx, mailBalanceNewsJob, { ownerId, low, stoppedBecause, reachedCap });
    }
    if (low) await queueEvent(tx, queue, { ownerId, type: 'balance.low', readData: async () => low, now });
  });
