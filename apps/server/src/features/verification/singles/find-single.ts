import { Batch } from '../../../platform/batch.ts';
import type { Db } from '../../../platform/database/database.ts';
import { findSinglesAt, type SinglePlace, type SingleRow } from './singles.store.ts';

/** Checks beyond this number are found with the next statement. */
const foundTogetherMax = 500;

export type FindSingle = (place: SinglePlace) => Promise<SingleRow | undefined>;

/**
 * Finds checks that are wanted together with one statement. While one runs, further ones wait for the next, so each reads what was
 * written before it was wanted.
 */
export function createSingleFinder(db: Db): FindSingle {
  const finding = new Batch({
    // A connection that breaks would fail all that share it, so another one is tried once.
    call: (places: SinglePlace[]) => findSinglesAt(db, places).catch(() => findSinglesAt(db, places)),
    lengthMax: foundTogetherMax,
  });
  return async (place) => (await finding.add(place)).get(place);
}
