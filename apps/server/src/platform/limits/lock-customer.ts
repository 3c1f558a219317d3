import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';

/**
 * Makes transactions of one customer that count something before they add to it wait for each other, in all processes.
 * Rows that only refer to the customer can still be written meanwhile.
 */
export async function lockCustomer(tx: Tx, customerId: string): Promise<void> {
  await sql`select from users where id = ${customerId} for no key update`.execute(tx);
}
