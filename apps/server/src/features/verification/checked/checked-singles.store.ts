import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { suppressed } from '../../engine/index.ts';

const rowsAtATime = 5_000;

export interface CheckedSingle {
  readonly id: string;
  readonly email: string;
  readonly checkedAt: Date;
}

const isChecked = (since: Date) => sql`completed_at >= ${since} and status = 'COMPLETE' and not is_sandbox
  and reason is distinct from ${suppressed}`;

/** Whether a customer has fewer single checks than a number. */
export async function hasFewerSingles(db: Db, ownerId: AccountId, count: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from single_validations where owner_id = ${ownerId} limit ${count}) single`.execute(db);
  return (rows[0]?.count ?? 0) < count;
}

/** The checks of addresses in any letter case, page by page of addresses. */
export async function* lookUpSingles(
  db: Db,
  ownerId: AccountId,
  spellings: Iterable<readonly string[]>,
  since: Date,
): AsyncGenerator<CheckedSingle[]> {
  for (const some of spellings) {
    const { rows } = await sql<CheckedSingle>`
      select single.id, single.email_address as email, single.completed_at as "checkedAt"
      from unnest(${some}::text[]) as wanted (address)
        cross join lateral (select id, email_address, completed_at from single_validations
          where owner_id = ${ownerId} and lower(email_address) = wanted.address and ${isChecked(since)}
          offset 0) single`.execute(db);
    yield rows;
  }
}

/** All checks from a moment on. */
export async function* readSingles(db: Db, ownerId: AccountId, since: Date): AsyncGenerator<CheckedSingle[]> {
  for (let last: string | undefined; ; ) {
    const { rows } = await sql<CheckedSingle & { isChecked: boolean }>`
      select id, email_address as email, completed_at as "checkedAt", (${isChecked(since)}) is true as "isChecked"
      from single_validations where owner_id = ${ownerId} ${last === undefined ? sql`` : sql`and id > ${last}`}
      order by id limit ${sql.lit(rowsAtATime)}`.execute(db);
    yield rows.filter((row) => row.isChecked);
    if (rows.length < rowsAtATime) return;
    last = rows.at(-1)?.id;
  }
}
