import type { SendMailOptions } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { findCrossings, takeLowBalance } from '../billing/index.ts';
import { queueEvent } from '../webhooks/index.ts';
import { type LowBalanceMail, mailLowBalanceJob } from './notices.jobs.ts';

interface WatchParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly mail: { readonly relayUrl: string | null };
}

const customersPerRun = 1_000;

/** Sends the alerts of balances that fell below a threshold, each in the transaction that takes it. */
export async function watchBalances(
  { db, clock, queue, mail }: WatchParts,
  signal: AbortSignal,
): Promise<void> {
  for (const ownerId of await findCrossings(db, customersPerRun)) {
    if (signal.aborted) return;
    await db.transaction().execute(async (tx) => {
      const now = clock.now();
      const low = await takeLowBalance(tx, { ownerId, now });
      if (!low) return;
      if (mail.relayUrl !== null) await queue.enqueue(tx, mailLowBalanceJob, { ownerId, ...low });
      await queueEvent(tx, queue, { ownerId, type: 'balance.low', readData: async () => low, now });
    });
  }
}

const counts = new Intl.NumberFormat('en-US');

/** The customer asked for it by setting a threshold, so it says where to change that. */
export function lowBalanceMail(
  { threshold, balance }: Pick<LowBalanceMail, 'threshold' | 'balance'>,
  appUrl: string,
  { to, from, id }: { readonly to: string; readonly from: string; readonly id: string },
): SendMailOptions {
  const lines = [
    `Your balance is below ${counts.format(threshold)} credits: you have ${counts.format(balance)} left.`,
    `Buy credits:\n${appUrl}/billing`,
    'You get this mail because you set this threshold. You can change or remove it on the same page.',
  ];
  return {
    from: { name: 'Assay', address: from },
    to: { name: '', address: to },
    subject: `Your balance is below ${counts.format(threshold)} credits`,
    text: `${lines.join('\n\n')}\n`,
    // The same in every try, so that mailboxes can drop a duplicate if we missed the relay's answer.
    messageId: `<${id}@${from.split('@')[1]}>`,
  };
}
