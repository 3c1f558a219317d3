import type { TryAgain } from '@assay/verifier';

/** How long hosts may defer an address before it is UNKNOWN: short for a single, for which a person waits, long in a list. */
const patienceMs = { single: 10 * 60_000, list: 4 * 3_600_000 } as const;

/** Whether we try an address again that its host first deferred at `since`. */
export const hasPatience = (
  kind: keyof typeof patienceMs,
  { now, since, afterMs }: { readonly now: Date; readonly since: Date; readonly afterMs: number },
): boolean => now.getTime() - since.getTime() + afterMs <= patienceMs[kind];

/** One job for each delay that hosts asked for, in whole seconds. */
export function laterJobs<Item, Payload>(
  putOff: readonly TryAgain<Item>[],
  now: Date,
  payloadOf: (items: readonly Item[]) => Payload,
): { payload: Payload; startAfter: Date }[] {
  const byDelay = Map.groupBy(putOff, ({ afterMs }) => Math.ceil(afterMs / 1_000));
  return [...byDelay].map(([seconds, outcomes]) => ({
    payload: payloadOf(outcomes.map(({ item }) => item)),
    startAfter: new Date(now.getTime() + seconds * 1_000),
  }));
}
