import type { AbuseScore, Suspect } from '@assay/contract/operator';
import { OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type CustomerRow, customerAnswer, customerColumns } from './customers.store.ts';

/** When an account was opened; undefined if there is none. */
export async function findOpening(db: Db, accountId: AccountId): Promise<Date | undefined> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from accounts where id = ${accountId}`.execute(db);
  return rows[0]?.created_at;
}

/** Keeps the score of an account, unless it is deleted by now. */
export async function saveScore(
  db: Db,
  accountId: AccountId,
  {
    score,
    reasons,
    now,
  }: { readonly score: number; readonly reasons: readonly string[]; readonly now: Date },
): Promise<void> {
  await sql`
    insert into abuse_scores (user_id, score, reasons, scored_at)
    select id, ${score}, ${reasons}::text[], ${now} from accounts where id = ${accountId} for key share
    on conflict (user_id) do update set score = excluded.score, reasons = excluded.reasons, scored_at = excluded.scored_at`.execute(
    db,
  );
}

export async function forgetScores(db: Db, before: Date): Promise<void> {
  await sql`delete from abuse_scores where scored_at < ${before}`.execute(db);
}

interface ScoreRow {
  readonly score: number;
  readonly reasons: string[];
  readonly scored_at: Date;
}

const scoreAnswer = ({ score, reasons, scored_at }: ScoreRow): AbuseScore => ({
  score,
  reasons,
  date: scored_at.toISOString(),
});

export async function findScore(db: Db, accountId: AccountId): Promise<AbuseScore | null> {
  const { rows } = await sql<ScoreRow>`
    select score, reasons, scored_at from abuse_scores where user_id = ${accountId}`.execute(db);
  return rows[0] ? scoreAnswer(rows[0]) : null;
}

/** The customers with the highest scores above 0. */
export async function findSuspects(db: Db): Promise<Suspect[]> {
  const { rows } = await sql<CustomerRow & ScoreRow>`
    select ${customerColumns}, score, reasons, scored_at
    from (select * from abuse_scores where score > 0 order by score desc, user_id limit ${OPERATOR_ROWS_MAX}) as highest
    join users on users.id = highest.user_id
    order by score desc, user_id`.execute(db);
  return rows.map((row) => ({ ...customerAnswer(row), abuse: scoreAnswer(row) }));
}
