import type { FeatureFlags } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

/** What an account may use. A flag of a person, such as `can_change_password`, is none. */
type AccountFlags = Pick<FeatureFlags, 'guessing_enabled'>;

interface AccountStanding {
  readonly standing: Standing;
}

export async function findFlags(db: Db, accountId: AccountId): Promise<AccountFlags | undefined> {
  return db.selectFrom('accounts').select('guessing_enabled').where('id', '=', accountId).executeTakeFirst();
}

export async function updateFlag(
  db: Db,
  accountId: AccountId,
  { flag, isOn }: { flag: keyof AccountFlags; isOn: boolean },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ [flag]: isOn })
    .where('id', '=', accountId)
    .execute();
}

export async function findStanding(db: Db, accountId: AccountId): Promise<Standing | undefined> {
  const { rows } = await sql<AccountStanding>`
    select standing from accounts where id = ${accountId}`.execute(db);
  return rows[0]?.standing;
}

export async function findThrottledIds(db: Db): Promise<AccountId[]> {
  // The first condition is that of an index.
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts where standing <> 'open' and standing = 'throttled'`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the standing before, or nothing if there is no such account. */
export async function updateStanding(
  tx: Tx,
  accountId: AccountId,
  standing: Standing,
): Promise<Standing | undefined> {
  const { rows } = await sql<AccountStanding>`
    update accounts set standing = ${standing}
    from (select id, standing from accounts where id = ${accountId} for no key update) as before
    where accounts.id = before.id
    returning before.standing`.execute(tx);
  return rows[0]?.standing;
}

/** Deletes an account with everything that refers to it. */
export async function deleteAccountRow(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
}
