import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../platform/database/database.ts';
import '../../users/index.ts';
import { openAccount } from '../billing.service.ts';

/** A customer with a wallet in which nothing is. Gives the id. */
export async function insertCustomer(tx: Tx, now: Date): Promise<string> {
  const ownerId = randomUUID();
  await tx
    .insertInto('users')
    .values({ id: ownerId, first_name: '', last_name: '', email_address: '', phone: null, created_at: now })
    .execute();
  await openAccount(tx, { ownerId, now });
  return ownerId;
}
