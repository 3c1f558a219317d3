import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { JobQueue } from '../../platform/queue/index.ts';

export interface WatchParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly mail: { readonly relayUrl: string | null };
}

export const customersPerRun = 1_000;

/** One customer that fails keeps no other waiting. Throws the first failure at the end. */
export async function watchEach(
  ownerIds: readonly string[],
  signal: AbortSignal,
  watch: (ownerId: AccountId) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  for (const ownerId of ownerIds) {
    if (signal.aborted) return;
    await watch(ownerId).catch((error) => {
      failure ??= error;
    });
  }
  if (failure) throw failure;
}
