import { Batch } from '../batch.ts';
import { type Schedule, systemSchedule } from '../clock.ts';
import { withPatience } from './with-patience.ts';

/** Lookups beyond this number go with the next statement. */
const lookupsMax = 500;
/** A connection that fell silent must not stop every call of this process. As long as the pool waits for a connection. */
const patienceMs = 10_000;

/**
 * Answers lookups that arrive together with one statement. While one runs, further ones wait for the next, so each reads what was
 * written before it came. See docs/decisions/request-cost.md.
 */
export function shareLookups<Lookup, Found>(
  find: (lookups: readonly Lookup[]) => Promise<ReadonlyMap<Lookup, Found>>,
  schedule: Schedule = systemSchedule,
): (lookup: Lookup) => Promise<Found | undefined> {
  const lookups = new Batch<Lookup, ReadonlyMap<Lookup, Found>>({
    // A connection that breaks would fail all lookups that share it, so another one is tried once.
    call: (asked) =>
      withPatience(
        find(asked).catch(() => find(asked)),
        patienceMs,
        schedule,
      ),
    lengthMax: lookupsMax,
  });
  return async (lookup) => (await lookups.add(lookup)).get(lookup);
}
