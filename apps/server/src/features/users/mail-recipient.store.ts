import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

/** What a mail is about. Customers can turn each of these kinds off. */
export type MailKind = 'lists' | 'balance' | 'plan';

const wishColumns = {
  lists: 'memberships.wants_list_mails',
  balance: 'memberships.wants_balance_mails',
  plan: 'memberships.wants_plan_mails',
} as const;

/**
 * The verified address of an account's owner who wants such mails: anyone can type an address that is not theirs. Mails about the
 * security of the account cannot be turned off.
 */
export async function findMailAddress(
  db: Db,
  accountId: AccountId,
  kind: MailKind | 'security',
): Promise<string | undefined> {
  const found = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('user_identities as identity', 'identity.user_id', 'users.id')
    .select('users.email_address')
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .$if(kind !== 'security', (query) => query.where(wishColumns[kind as MailKind], '=', true))
    .where('identity.email_verified', '=', true)
    .whereRef('identity.email_address', '=', 'users.email_address')
    .orderBy('memberships.created_at')
    .executeTakeFirst();
  return found?.email_address;
}

/** The address of an account's owner, verified or not: the payment provider sends receipts there. */
export async function findReceiptAddress(db: Db, accountId: AccountId): Promise<string | undefined> {
  const owner = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('email_address')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .orderBy('memberships.created_at')
    .executeTakeFirst();
  return owner?.email_address;
}
