import type { Tx } from '../../platform/database/database.ts';
import { findStanding } from '../users/index.ts';

/** Jobs of throttled customers come after those of all others, of which no list has as many. */
const lastPlace = 1_000_000;

/** The place in the queue at which the jobs of a customer's list begin. */
export async function findFirstPlace(tx: Tx, ownerId: string): Promise<number> {
  return (await findStanding(tx, ownerId)) === 'throttled' ? lastPlace : 0;
}
