import type { RealtimeEvent } from '@assay/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { publishEvents } from '../../../platform/events/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { billingChanged, settleTogether } from '../../billing/index.ts';
import { type Bill, isCharged, saveBills } from '../../engine/index.ts';
import { queueEvents } from '../../webhooks/index.ts';
import { countVerdictsOf } from '../metrics.store.ts';
import { type CompletedSingle, markSinglesComplete } from './singles.store.ts';
import { singleDetailAnswer } from './start-single.ts';

export interface FoundSingle extends CompletedSingle {
  readonly ownerId: AccountId;
  /** What was asked for it since it was last deferred. */
  readonly bill?: Bill;
}

/** Writes the results, counters, settlements and events of one customer's checks in one transaction, each once. */
export async function completeSingles(
  { db, clock, queue }: { readonly db: Db; readonly clock: Clock; readonly queue: JobQueue },
  found: readonly FoundSingle[],
): Promise<undefined[]> {
  const { ownerId } = found[0] as FoundSingle;
  // In one order, so that two workers with the same checks do not wait for each other.
  const singles = found.toSorted((left, right) => (left.validationId < right.validationId ? -1 : 1));
  const now = clock.now();
  await runTransaction(db, async (tx) => {
    const completed = await markSinglesComplete(tx, { ownerId, singles, now });
    // What was asked counts, even if another worker has completed the check.
    await saveBills(
      tx,
      singles.flatMap(({ bill }) => (bill === undefined ? [] : [{ ownerId, bill }])),
    );
    if (completed.length === 0) return;

    const paid = completed.filter(({ is_sandbox }) => !is_sandbox);
    await publishEvents(tx, ownerId, [
      ...completed.map(
        ({ id, verdict }): RealtimeEvent => ({
          event_type: 'verification_complete',
          event_metadata: { email_address_status: verdict, validation_id: id },
        }),
      ),
      ...(paid.length > 0 ? [billingChanged] : []),
    ]);
    if (paid.length > 0) {
      await countVerdictsOf(
        tx,
        ownerId,
        paid.map(({ verdict, created_at }) => ({ askedAt: created_at, counts: { [verdict]: 1 } })),
      );
      const works = paid.map(({ id, verdict }) => ({ id, dueCredits: isCharged(verdict) ? 1 : 0 }));
      await settleTogether(tx, { kind: 'single', ownerId, works, now, isPublished: true });
    }
    await queueEvents(tx, queue, {
      ownerId,
      type: 'email_validation.completed',
      works: completed.map((single) => ({
        workCreatedAt: single.created_at,
        readData: async () => singleDetailAnswer(single),
      })),
      now,
    });
  });
  return found.map(() => undefined);
}
