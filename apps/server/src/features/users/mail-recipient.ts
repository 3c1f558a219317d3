import type { Db } from '../../platform/database/database.ts';

/** The verified address of a customer who wants mails about lists. Anyone can type an address that is not theirs. */
export async function findListMailAddress(db: Db, userId: string): Promise<string | undefined> {
  const found = await verifiedAddress(db, userId).where('wants_list_mails', '=', true).executeTakeFirst();
  return found?.email_address;
}

/** The verified address of a customer. */
export async function findVerifiedAddress(db: Db, userId: string): Promise<string | undefined> {
  return (await verifiedAddress(db, userId).executeTakeFirst())?.email_address;
}

const verifiedAddress = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .innerJoin('user_identities as identity', 'identity.user_id', 'users.id')
    .select('users.email_address')
    .where('users.id', '=', userId)
    .where('identity.email_verified', '=', true)
    .whereRef('identity.email_address', '=', 'users.email_address');
