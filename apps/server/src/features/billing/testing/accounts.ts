import { randomUUID } from 'node:crypto';
import type { Tx } from '../../../platform/database/database.ts';
import '../../users/index.ts';
import type { TestApi } from '../../../testing/api.ts';
import { openBilling } from '../billing.service.ts';
import { grantCredits } from '../credit-ledger.store.ts';

/** Creates a customer with an empty wallet and returns their id. */
export async function insertCustomer(tx: Tx, now: Date): Promise<string> {
  const ownerId = randomUUID();
  await tx
    .insertInto('users')
    .values({ id: ownerId, first_name: '', last_name: '', email_address: '', phone: null, created_at: now })
    .execute();
  await openBilling(tx, { ownerId, now });
  return ownerId;
}

/** Signs up a customer with exactly these credits: an unverified address gets none at sign-up. */
export async function signUpWithCredits(
  api: TestApi,
  credits: number,
): Promise<{ readonly token: string; readonly userId: string }> {
  const token = await api.tokenFor({ email_verified: false });
  const { id: userId } = (await api.call('GET', '/users/me', { token })).json();
  await api.database.db.transaction().execute((tx) =>
    grantCredits(tx, {
      ownerId: userId,
      key: `operator:${randomUUID()}`,
      credits,
      category: 'GRANT',
      source: 'SUPPORT',
      description: 'A few credits',
      now: new Date(),
    }),
  );
  return { token, userId };
}
