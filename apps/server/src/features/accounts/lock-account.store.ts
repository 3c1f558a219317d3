import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Blocks other work on this account until the transaction ends; returns false if there is no such account. */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return account !== undefined;
}

/**
 * Makes transactions of one account that count something before they add to it wait for each other, in all processes. Rows
 * that only refer to the account can still be written meanwhile.
 */
export async function lockForCounting(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/**
 * Prevents the deletion of the account until the transaction ends. Work that locks other rows of the account starts with it,
 * as deleting the account does. Taken later, the two would deadlock.
 */
export async function keepAccount(tx: Tx, accountId: AccountId): Promise<void> {
  const account = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst();
  if (!account) throw new AppError('unauthorized', { accountId });
}
