import type { RetentionDays } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

export async function findRetention(db: Db, accountId: AccountId): Promise<RetentionDays | null> {
  const account = await db
    .selectFrom('accounts')
    .select('retention_days')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.retention_days ?? null;
}

export async function updateRetention(
  db: Db,
  accountId: AccountId,
  days: RetentionDays | null,
): Promise<void> {
  await db.updateTable('accounts').set({ retention_days: days }).where('id', '=', accountId).execute();
}

const atATime = 500;

/** The accounts that chose a number of days. */
export async function* findAccountsWithRetention(
  db: Db,
): AsyncGenerator<{ readonly ownerId: AccountId; readonly days: RetentionDays }> {
  for (let after: string | undefined; ; ) {
    const rows = await db
      .selectFrom('accounts')
      .select(['id as ownerId', 'retention_days as days'])
      .where('retention_days', 'is not', null)
      .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(atATime)
      .$narrowType<{ days: RetentionDays }>()
      .execute();
    yield* rows;
    if (rows.length < atATime) return;
    after = rows.at(-1)?.ownerId;
  }
}
