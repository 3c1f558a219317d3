import { runTransaction } from '../../platform/database/run-transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  endOfMonth,
  findBalanceNews,
  takeLowBalance,
  takeReachedCap,
  takeTopUpStop,
} from '../billing/index.ts';
import { queueEvent } from '../webhooks/index.ts';
import { mailBalanceNewsJob } from './notices.jobs.ts';
import { customersPerRun, type WatchParts, watchEach } from './watch-each.ts';

/** Looks for balances that fell below a threshold and top-ups that stopped, in case a request to look was lost. */
export async function watchBalances(parts: WatchParts, signal: AbortSignal): Promise<void> {
  const ownerIds = await findBalanceNews(parts.db, { now: parts.clock.now(), limit: customersPerRun });
  await watchEach(ownerIds, signal, (ownerId) => watchBalance(parts, ownerId));
}

/** Sends what is new about a customer's balance, in the transaction that takes it, so that each is sent once. */
export const watchBalance = ({ db, clock, queue, mail }: WatchParts, ownerId: AccountId): Promise<void> =>
  runTransaction(db, async (tx) => {
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
