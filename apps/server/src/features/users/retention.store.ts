import type { RetentionDays } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';

export async function findRetention(db: Db, userId: string): Promise<RetentionDays | null> {
  const user = await db
    .selectFrom('users')
    .select('retention_days')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.retention_days ?? null;
}

export async function updateRetention(db: Db, userId: string, days: RetentionDays | null): Promise<void> {
  await db.updateTable('users').set({ retention_days: days }).where('id', '=', userId).execute();
}

const atATime = 500;

/** The customers who chose a number of days. */
export async function* findCustomersWithRetention(
  db: Db,
): AsyncGenerator<{ readonly userId: string; readonly days: RetentionDays }> {
  for (let after: string | undefined; ; ) {
    const rows = await db
      .selectFrom('users')
      .select(['id as userId', 'retention_days as days'])
      .where('retention_days', 'is not', null)
      .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(atATime)
      .$narrowType<{ days: RetentionDays }>()
      .execute();
    yield* rows;
    if (rows.length < atATime) return;
    after = rows.at(-1)?.userId;
  }
}
