import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { notChecked } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { ListedPerson } from './people-jobs.ts';

/** The rows of the file in the format of exports, as JSON. */
export async function insertFileRows(tx: Tx, { ownerId, listId }: ListPlace, rows: string): Promise<void> {
  await sql`
    insert into guess_list_rows (owner_id, list_id, row_number, cells, person_row_number, problem)
    select ${ownerId}, ${listId}, row_number, cells, person_row_number, problem
    from json_to_recordset(${rows}::json)
      as row (row_number int, cells text, person_row_number int, problem text)`.execute(tx);
}

/** The distinct people of a list, each a guess of its own. */
export async function insertPeople(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  people: readonly (ListedPerson & { readonly id: string })[],
  now: Date,
): Promise<void> {
  await sql`
    insert into guesses (owner_id, id, list_id, row_number, first_name, last_name, domain, status,
      charges_every_answer, created_at)
    select ${ownerId}, id, ${listId}, row_number, first_name, last_name, domain, 'PENDING', true, ${now}
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ rowNumber }) => rowNumber)}::int[],
      ${people.map(({ firstName }) => firstName)}::text[], ${people.map(({ lastName }) => lastName)}::text[],
      ${people.map(({ domain }) => domain)}::text[])
      as person (id, row_number, first_name, last_name, domain)`.execute(tx);
}

export async function findUnknownDomains(tx: Tx, { ownerId, listId }: ListPlace): Promise<string[]> {
  const rows = await tx
    .selectFrom('guesses')
    .select('domain')
    .distinct()
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('outcome', '=', 'UNKNOWN')
    .execute();
  return rows.map(({ domain }) => domain);
}

/** How many rows of the file name unknown people. */
export async function countUnknownRows(tx: Tx, { ownerId, listId }: ListPlace): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from guess_list_rows row ${ofUnknownPeople(ownerId, listId)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

const ofUnknownPeople = (ownerId: AccountId, listId: string) => sql`
    where owner_id = ${ownerId} and list_id = ${listId}
      and (select outcome from guesses guess where guess.owner_id = row.owner_id and guess.list_id = row.list_id
        and guess.row_number = row.person_row_number) = 'UNKNOWN'`;

/** Copies the unknown people of a list, and all rows of the file that name them, to another list. */
export async function copyUnknownPeople(
  tx: Tx,
  { source, copy, now }: { readonly source: ListPlace; readonly copy: ListPlace; readonly now: Date },
): Promise<void> {
  const { ownerId, listId } = source;
  await sql`
    insert into guess_list_rows (owner_id, list_id, row_number, cells, person_row_number)
    select owner_id, ${copy.listId}, row_number, cells, person_row_number
    from guess_list_rows row ${ofUnknownPeople(ownerId, listId)}`.execute(tx);
  await sql`
    insert into guesses (owner_id, id, list_id, row_number, first_name, last_name, domain, status,
      charges_every_answer, created_at)
    select owner_id, gen_random_uuid(), ${copy.listId}, row_number, first_name, last_name, domain, 'PENDING', true, ${now}
    from guesses where owner_id = ${ownerId} and list_id = ${listId} and outcome = 'UNKNOWN'`.execute(tx);
}

/** A row of the file with the outcome of its person. */
export type RowToExport = Awaited<ReturnType<typeof findRowsToExport>>[number];

/** The rows of the file from one on. */
export function findRowsToExport(
  db: Db,
  { ownerId, listId }: ListPlace,
  { from, limit }: { readonly from: number; readonly limit: number },
) {
  return db
    .selectFrom('guess_list_rows as row')
    .leftJoin('guesses as guess', (join) =>
      join
        .onRef('guess.owner_id', '=', 'row.owner_id')
        .onRef('guess.list_id', '=', 'row.list_id')
        .onRef('guess.row_number', '=', 'row.person_row_number'),
    )
    .select([
      'row.row_number',
      'row.person_row_number',
      'row.cells',
      'row.problem',
      'guess.outcome',
      'guess.email_address',
      'guess.reason',
    ])
    .where('row.owner_id', '=', ownerId)
    .where('row.list_id', '=', listId)
    .where('row.row_number', '>=', from)
    .orderBy('row.row_number')
    .limit(limit)
    .execute();
}

interface OpenPerson {
  readonly id: string;
  readonly rowNumber: number;
}

/** The people of a list without an outcome. Those of one company are together, because they share connections. */
export async function findOpenPeople(tx: Tx, { ownerId, listId }: ListPlace): Promise<OpenPerson[]> {
  const rows = await tx
    .selectFrom('guesses')
    .select(['id', 'row_number'])
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('status', '<>', 'COMPLETE')
    .orderBy('domain')
    .orderBy('row_number')
    .$narrowType<{ row_number: number }>()
    .execute();
  return rows.map(({ id, row_number }) => ({ id, rowNumber: row_number }));
}

/** Gives everyone without an outcome UNKNOWN. Returns how many. */
export async function completeUnchecked(tx: Tx, { ownerId, listId }: ListPlace, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('guesses')
    .set({ status: 'COMPLETE', outcome: 'UNKNOWN', reason: notChecked, completed_at: now })
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('status', '<>', 'COMPLETE')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Removes files of people that processes of earlier versions kept in a table of their own, when they expire. */
export async function removeOldUploads(db: Db, now: Date): Promise<void> {
  await sql`delete from guess_uploads where expires_at < ${now}`.execute(db);
}
