import type { AbuseScore, Suspect } from '@assay/contract/operator';
import { OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { hasFlag } from '../engine/index.ts';
import { findVolumes, sampleRows, type Volume } from '../verification/index.ts';
import { type CustomerRow, customerAnswer, customerColumns } from './customers.store.ts';
import { scoreHarvest } from './harvest-signs.ts';

const daysScored = 30;
const customersScored = 500;
const rowsSampled = 500;
const dayMs = 86_400_000;

/** Scores the customers with the most addresses of the last month. */
export async function scoreCustomers(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - daysScored * dayMs);
  for (const volume of await findVolumes(db, since, customersScored)) {
    signal.throwIfAborted();
    await scoreCustomer(db, volume, now);
  }
  await sql`delete from abuse_scores where scored_at < ${since}`.execute(db);
}

async function scoreCustomer(db: Db, volume: Volume, now: Date): Promise<void> {
  const { ownerId, newestListId: listId } = volume;
  const rows = await sampleRows(db, { ownerId, listId }, rowsSampled);
  const {
    rows: [account],
  } = await sql<{ created_at: Date }>`
    select created_at from accounts where id = ${ownerId}`.execute(db);
  if (!account) return;
  const { score, reasons } = scoreHarvest({
    addresses: volume.total,
    completed: volume.completed,
    invalid: volume.invalid,
    malformed: volume.malformed,
    accountAgeDays: (now.getTime() - account.created_at.getTime()) / dayMs,
    sample: rows.map(({ address, flags }) => ({
      address,
      isRole: hasFlag(flags, 'role'),
      isFree: hasFlag(flags, 'free_provider'),
    })),
  });
  // The account may be deleted by now.
  await sql`
    insert into abuse_scores (user_id, score, reasons, scored_at)
    select id, ${score}, ${reasons}::text[], ${now} from accounts where id = ${ownerId} for key share
    on conflict (user_id) do update set score = excluded.score, reasons = excluded.reasons, scored_at = excluded.scored_at`.execute(
    db,
  );
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
