import type { PageQuery } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { findPage } from '../../../platform/database/find-page.ts';
import type { PeopleRow } from './people-file.ts';

const columns = [
  'id',
  'name',
  'status',
  'created_at',
  'total_people',
  'found',
  'catch_all',
  'not_found',
  'unknown',
  'delimiter',
  'header',
] as const;

export interface GuessListPlace {
  readonly ownerId: string;
  readonly listId: string;
}

export type GuessListRow = NonNullable<Awaited<ReturnType<typeof findGuessList>>>;

export function findGuessList(db: Db, { ownerId, listId }: GuessListPlace) {
  return db
    .selectFrom('guess_lists')
    .select(columns)
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .executeTakeFirst();
}

export function findGuessLists(db: Db, ownerId: string, page: PageQuery) {
  const newestFirst = db
    .selectFrom('guess_lists')
    .select(columns)
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return findPage(newestFirst, page);
}

export function insertGuessList(
  tx: Tx,
  { ownerId, listId }: GuessListPlace,
  list: {
    readonly name: string;
    readonly delimiter: string;
    readonly header: string | null;
    readonly totalPeople: number;
    readonly now: Date;
  },
) {
  return tx
    .insertInto('guess_lists')
    .values({
      owner_id: ownerId,
      id: listId,
      name: list.name,
      status: 'PENDING',
      delimiter: list.delimiter,
      header: list.header,
      total_people: list.totalPeople,
      created_at: list.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The file row by row, as exports write it back. */
export async function insertFileRows(
  tx: Tx,
  { ownerId, listId }: GuessListPlace,
  rows: readonly PeopleRow[],
  format: (cells: readonly string[]) => string,
): Promise<void> {
  await sql`
    insert into guess_list_rows (owner_id, list_id, row_number, cells, person_row_number, problem)
    select ${ownerId}, ${listId}, row_number, cells, person_row_number, problem
    from unnest(${rows.map((row) => row.rowNumber)}::int[], ${rows.map((row) => format(row.cells))}::text[],
      ${rows.map((row) => row.personRowNumber)}::int[], ${rows.map((row) => row.problem)}::text[])
      as row (row_number, cells, person_row_number, problem)`.execute(tx);
}

/** The distinct people of a list, each a guess of its own. */
export async function insertPeople(
  tx: Tx,
  { ownerId, listId }: GuessListPlace,
  people: readonly { readonly id: string; readonly row: PeopleRow }[],
  now: Date,
): Promise<void> {
  await sql`
    insert into guesses (owner_id, id, list_id, row_number, first_name, last_name, domain, status, created_at)
    select ${ownerId}, id, ${listId}, row_number, first_name, last_name, domain, 'PENDING', ${now}
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ row }) => row.rowNumber)}::int[],
      ${people.map(({ row }) => row.person?.firstName)}::text[],
      ${people.map(({ row }) => row.person?.lastName)}::text[],
      ${people.map(({ row }) => row.person?.domain)}::text[])
      as person (id, row_number, first_name, last_name, domain)`.execute(tx);
}

export function renameGuessListRow(db: Db, { ownerId, listId }: GuessListPlace, name: string) {
  return db
    .updateTable('guess_lists')
    .set({ name })
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .returning(columns)
    .executeTakeFirst();
}

/** Locks the list until the transaction ends, so that no outcome is written meanwhile. */
export function lockGuessList(tx: Tx, { ownerId, listId }: GuessListPlace) {
  return tx
    .selectFrom('guess_lists')
    .select(columns)
    .where('owner_id', '=', ownerId)
    .where('id', '=', listId)
    .forUpdate()
    .executeTakeFirst();
}

/** The same for one that still runs; false when there is none. */
export async function lockRunningList(tx: Tx, place: GuessListPlace): Promise<boolean> {
  return (await lockGuessList(tx, place))?.status === 'PENDING';
}

export async function removeGuessList(tx: Tx, { ownerId, listId }: GuessListPlace): Promise<void> {
  await tx.deleteFrom('guess_lists').where('owner_id', '=', ownerId).where('id', '=', listId).execute();
}

/** Every row of the file with what became of its person. */
export function findRowsToExport(db: Db, { ownerId, listId }: GuessListPlace) {
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
    .orderBy('row.row_number')
    .execute();
}
