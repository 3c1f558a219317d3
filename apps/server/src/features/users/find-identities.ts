import { Batch } from '../../platform/batch.ts';
import { type Schedule, systemSchedule } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { type FoundIdentity, findIdentities, type IdentityLookup } from './users.store.ts';

/** Calls beyond this number go with the next statement. */
const lookupsMax = 500;
/** A connection that fell silent must not stop every call of this process. As long as the pool waits for a connection. */
const patienceMs = 10_000;

/**
 * Finds the identities of calls that arrive together with one statement. While one runs, further calls wait for the next, so
 * each reads what was written before it came. See docs/decisions/request-cost.md.
 */
export function createIdentityFinder(
  db: Db,
  schedule: Schedule = systemSchedule,
): (lookup: IdentityLookup) => Promise<FoundIdentity | undefined> {
  const lookups = new Batch<IdentityLookup, ReadonlyMap<IdentityLookup, FoundIdentity>>({
    // A connection that breaks would fail all calls that share it, so another one is tried once.
    call: (asked) =>
      withPatience(
        findIdentities(db, asked).catch(() => findIdentities(db, asked)),
        schedule,
      ),
    lengthMax: lookupsMax,
  });
  return async (lookup) => (await lookups.add(lookup)).get(lookup);
}

async function withPatience<Answer>(answer: Promise<Answer>, schedule: Schedule): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const cancel = schedule(
    () => late.reject(new AppError('service_unavailable', { part: 'database' })),
    patienceMs,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    cancel();
  }
}
