import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

/** What a mail is about. Customers can turn each of these kinds off. */
export type MailKind = 'lists' | 'balance' | 'plan';

const wishColumns = {
  lists: 'wants_list_mails',
  balance: 'wants_balance_mails',
  plan: 'wants_plan_mails',
} as const;

/**
 * The verified address of an account’s owner who wants such mails: anyone can type an address that is not theirs. Mails about the
 * security of the account cannot be turned off.
 */
export async function findMailAddress(
  db: Db,
  accountId: AccountId,
  kind: MailKind | 'security',
): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .innerJoin('user_identities as identity', 'identity.user_id', 'users.id')
    .select('users.email_address')
    .where('users.id', '=', accountId)
    .$if(kind !== 'security', (query) => query.where(wishColumns[kind as MailKind], '=', true))
    .where('identity.email_verified', '=', true)
    .whereRef('identity.email_address', '=', 'users.email_address')
    .executeTakeFirst();
  return found?.email_address;
}

/** The address of an account's owner, verified or not: the payment provider sends receipts there. */
export async function findReceiptAddress(db: Db, accountId: AccountId): Promise<string | undefined> {
  const owner = await db
    .selectFrom('users')
    .select('email_address')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return owner?.email_address;
}
