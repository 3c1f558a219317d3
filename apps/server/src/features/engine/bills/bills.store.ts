import './bills.tables.ts';
import type { ProviderBill } from '@assay/verifier';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

/** What some work asked each provider since it was last written. */
export type Bill = ReadonlyMap<string, ProviderBill>;

/** Single checks and guesses have no list. */
const noList = '00000000-0000-0000-0000-000000000000';

export interface BilledWork {
  readonly ownerId: AccountId;
  readonly listId?: string | null;
}

/** Adds bills of one account, with the results that they are for. Nothing if the account was deleted meanwhile. */
export async function saveBills(
  tx: Db | Tx,
  works: readonly (BilledWork & { readonly bill: Bill })[],
): Promise<void> {
  const rows = works.flatMap(({ ownerId, listId, bill }) =>
    [...bill].map(([provider, counts]) => ({ ownerId, workId: listId ?? noList, provider, counts })),
  );
  if (rows.length === 0) return;
  const column = <Value>(read: (row: (typeof rows)[number]) => Value) => rows.map(read);
  // Several pieces of work may have asked one provider; in one order, so that two workers do not wait for each other.
  await sql`
    insert into question_bills as known (owner_id, day, work_id, provider, questions, proofs, controls, unknown, blocked)
    select owner_id, (now() at time zone 'UTC')::date, work_id, provider, sum(questions), sum(proofs), sum(controls), sum(unknown), sum(blocked)
    from unnest(${column(({ ownerId }) => ownerId)}::uuid[], ${column(({ workId }) => workId)}::uuid[],
      ${column(({ provider }) => provider)}::text[], ${column(({ counts }) => counts.questions)}::bigint[],
      ${column(({ counts }) => counts.proofs)}::bigint[], ${column(({ counts }) => counts.controls)}::bigint[],
      ${column(({ counts }) => counts.unknown)}::bigint[], ${column(({ counts }) => counts.blocked)}::bigint[])
      as bill (owner_id, work_id, provider, questions, proofs, controls, unknown, blocked)
    where exists (select from accounts where id = bill.owner_id)
    group by owner_id, work_id, provider order by owner_id, work_id, provider
    on conflict (owner_id, day, work_id, provider) do update set questions = known.questions + excluded.questions,
      proofs = known.proofs + excluded.proofs, controls = known.controls + excluded.controls,
      unknown = known.unknown + excluded.unknown, blocked = known.blocked + excluded.blocked`.execute(tx);
}

export interface BillLine {
  readonly account: string;
  readonly list: string | null;
  readonly provider: string;
  readonly questions: number;
  readonly proofs: number;
  readonly controls: number;
  readonly unknown: number;
  readonly blocked: number;
}

/** Who asked providers most since a day, by account and provider or, for one account, by its lists. */
export async function findBills(
  db: Db,
  {
    since,
    ownerId,
    limit,
  }: { readonly since: Date; readonly ownerId?: string | undefined; readonly limit: number },
): Promise<BillLine[]> {
  const list = ownerId === undefined ? sql`null::uuid` : sql`nullif(work_id, ${noList}::uuid)`;
  const { rows } = await sql<BillLine>`
    select owner_id as account, ${list} as list, provider, sum(questions)::float8 as questions, sum(proofs)::float8 as proofs,
      sum(controls)::float8 as controls, sum(unknown)::float8 as unknown, sum(blocked)::float8 as blocked
    from question_bills where day >= ${since}::date ${ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`}
    group by 1, 2, 3 order by sum(unknown) desc, sum(questions) desc, 1, 2, 3 limit ${limit}`.execute(db);
  return rows;
}

/** What all accounts asked each provider since a day, the one with the most unknown recipients first. */
export async function findProviderBills(
  db: Db,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<Omit<BillLine, 'account' | 'list'>[]> {
  const { rows } = await sql<Omit<BillLine, 'account' | 'list'>>`
    select provider, sum(questions)::float8 as questions, sum(proofs)::float8 as proofs, sum(controls)::float8 as controls,
      sum(unknown)::float8 as unknown, sum(blocked)::float8 as blocked
    from question_bills where day >= ${since}::date
    group by 1 order by sum(unknown) desc, sum(questions) desc, 1 limit ${limit}`.execute(db);
  return rows;
}

/** The accounts that asked about the most unknown recipients since a day, with what they asked in all. */
export async function findAccountBills(
  db: Db,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<{ ownerId: AccountId; questions: number; unknown: number; blocked: number }[]> {
  const { rows } = await sql<{ ownerId: AccountId; questions: number; unknown: number; blocked: number }>`
    select owner_id as "ownerId", sum(questions)::float8 as questions, sum(unknown)::float8 as unknown, sum(blocked)::float8 as blocked
    from question_bills where day >= ${since}::date
    group by 1 order by sum(unknown) desc, 1 limit ${limit}`.execute(db);
  return rows;
}

export interface Asked {
  readonly questions: number;
  /** Without proofs and controls. */
  readonly ordinary: number;
  readonly unknown: number;
}

/** What an account asked in the last days, by published provider and, as null, all others together. */
export async function sumAsked(
  db: Db,
  {
    ownerId,
    published,
    days,
  }: { readonly ownerId: AccountId; readonly published: readonly string[]; readonly days: number },
): Promise<(Asked & { provider: string | null })[]> {
  const { rows } = await sql<Asked & { provider: string | null }>`
    select case when provider = any(${published}::text[]) then provider end as provider, sum(questions)::float8 as questions,
      sum(questions - proofs - controls)::float8 as ordinary, sum(unknown)::float8 as unknown
    from question_bills where owner_id = ${ownerId} and day >= (now() at time zone 'UTC')::date - ${days}::int
    group by 1`.execute(db);
  return rows;
}

/** Keeps bills for a year. */
export async function sweepBills(db: Db): Promise<void> {
  await sql`delete from question_bills where day < (now() at time zone 'UTC')::date - 366`.execute(db);
}
