import type { Db } from '../../platform/database/database.ts';

/** What a mail is about. Customers can turn each kind off. */
export type MailKind = 'lists' | 'balance';

const wishColumns = { lists: 'wants_list_mails', balance: 'wants_balance_mails' } as const;

/** The verified address of a customer who wants such mails. Anyone can type an address that is not theirs. */
export async function findMailAddress(db: Db, userId: string, kind: MailKind): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .innerJoin('user_identities as identity', 'identity.user_id', 'users.id')
    .select('users.email_address')
    .where('users.id', '=', userId)
    .where(wishColumns[kind], '=', true)
    .where('identity.email_verified', '=', true)
    .whereRef('identity.email_address', '=', 'users.email_address')
    .executeTakeFirst();
  return found?.email_address;
}
