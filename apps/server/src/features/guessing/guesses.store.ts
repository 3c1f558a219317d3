import type { GuessOutcome, PageQuery } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type ListPlace, type OldWork, workedOnStatuses } from '../lists/index.ts';
import type { GuessedPerson } from './guess-person.ts';
import type { StoredTry } from './guessing.tables.ts';
import type { GuessEnd } from './next-step.ts';

const listed = [
  'id',
  'first_name',
  'last_name',
  'domain',
  'status',
  'outcome',
  'email_address',
  'reason',
  'charges_every_answer',
  'created_at',
] as const;

export type GuessRow = NonNullable<Awaited<ReturnType<typeof findGuess>>>;
export type ListedGuess = Omit<GuessRow, 'detail' | 'tries'>;

export interface GuessPlace {
  readonly ownerId: AccountId;
  readonly guessId: string;
}

export function findGuess(db: Db, { ownerId, guessId }: GuessPlace) {
  return db
    .selectFrom('guesses')
    .select([...listed, 'detail', 'tries'])
    .where('owner_id', '=', ownerId)
    .where('id', '=', guessId)
    .executeTakeFirst();
}

/** Single guesses, newest first. */
export function findSingleGuesses(db: Db, ownerId: AccountId, page: PageQuery) {
  const newestFirst = db
    .selectFrom('guesses')
    .select(listed)
    .where('owner_id', '=', ownerId)
    .where('list_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return findPage(newestFirst, page);
}

/** Some single guesses behind an id, in the order of their ids. */
export function findGuessesAfter(
  db: Db,
  ownerId: AccountId,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
) {
  return db
    .selectFrom('guesses')
    .select(listed)
    .where('owner_id', '=', ownerId)
    .where('list_id', 'is', null)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The people of a list, in the order of its file. */
export function findPeople(
  db: Db,
  { ownerId, listId }: ListPlace,
  outcomes: readonly GuessOutcome[] | undefined,
  page: PageQuery,
) {
  const matching = db
    .selectFrom('guesses')
    .select(listed)
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .$if(outcomes !== undefined, (query) => query.where('outcome', 'in', [...(outcomes ?? [])]))
    .orderBy('row_number');
  return findPage(matching, page);
}

export function insertSingleGuess(
  tx: Tx,
  { ownerId, guessId }: GuessPlace,
  { firstName, lastName, domain }: GuessedPerson,
  now: Date,
): Promise<ListedGuess> {
  return tx
    .insertInto('guesses')
    .values({
      owner_id: ownerId,
      id: guessId,
      list_id: null,
      row_number: null,
      first_name: firstName,
      last_name: lastName,
      domain,
      status: 'PENDING',
      charges_every_answer: true,
      created_at: now,
    })
    .returning(listed)
    .executeTakeFirstOrThrow();
}

/** A guess that a worker may take up. */
export interface OpenGuess extends GuessPlace, GuessedPerson {
  readonly listId: string | null;
  /** Its row in the list; 0 for a single guess. */
  readonly rowNumber: number;
  readonly isBegun: boolean;
  /** Set before the end when the result is already certain. */
  readonly reason: string | null;
  readonly tries: readonly StoredTry[];
  readonly chargesEveryAnswer: boolean;
}

/** Those of these guesses that workers may take up: not complete, and alone or in this run of a list. */
export async function findOpenGuesses(
  db: Db,
  {
    ownerId,
    guessIds,
    run = 0,
  }: { readonly ownerId: AccountId; readonly guessIds: readonly string[]; readonly run?: number | undefined },
): Promise<OpenGuess[]> {
  const rows = await db
    .selectFrom('guesses')
    .select([...listed, 'list_id', 'row_number', 'tries'])
    .where('owner_id', '=', ownerId)
    .where('id', 'in', [...guessIds])
    .where('status', '<>', 'COMPLETE')
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('list_id', 'is', null),
        exists(
          selectFrom('lists as list')
            .select('list.id')
            .where('list.kind', '=', 'people')
            .whereRef('list.owner_id', '=', 'guesses.owner_id')
            .whereRef('list.id', '=', 'guesses.list_id')
            .where('list.status', 'in', workedOnStatuses)
            .where('list.run_number', '=', run),
        ),
      ]),
    )
    .orderBy('row_number')
    .execute();
  return rows.map((row) => ({
    ownerId,
    guessId: row.id,
    listId: row.list_id,
    rowNumber: row.row_number ?? 0,
    firstName: row.first_name,
    lastName: row.last_name,
    domain: row.domain,
    isBegun: row.status === 'IN_PROGRESS',
    reason: row.reason,
    tries: row.tries,
    chargesEveryAnswer: row.charges_every_answer,
  }));
}

/** Locks a guess that no worker has started yet. False when one has. */
export async function lockPending(tx: Tx, { ownerId, guessId }: GuessPlace): Promise<boolean> {
  const pending = await tx
    .selectFrom('guesses')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', '=', guessId)
    .where('status', '=', 'PENDING')
    .forUpdate()
    .executeTakeFirst();
  return pending !== undefined;
}

/** A reason means that the result is already certain. */
export async function markBegun(
  tx: Tx,
  { ownerId, guessId }: GuessPlace,
  reason: string | null,
): Promise<void> {
  await tx
    .updateTable('guesses')
    .set({ status: 'IN_PROGRESS', reason })
    .where('owner_id', '=', ownerId)
    .where('id', '=', guessId)
    .execute();
}

/** Stores the tries, so that they are not repeated. False when the guess was deleted or is complete. */
export async function saveTries(
  db: Db,
  { ownerId, guessId }: GuessPlace,
  tries: readonly StoredTry[],
): Promise<boolean> {
  const saved = await db
    .updateTable('guesses')
    .set({ tries: JSON.stringify(tries) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', guessId)
    .where('status', '<>', 'COMPLETE')
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

/** False when it is complete already: the first outcome counts. */
export async function markGuessComplete(
  tx: Tx,
  { ownerId, guessId }: GuessPlace,
  end: GuessEnd,
  now: Date,
): Promise<boolean> {
  const completed = await tx
    .updateTable('guesses')
    .set({
      status: 'COMPLETE',
      outcome: end.outcome,
      email_address: end.emailAddress,
      reason: end.reason,
      detail: end.decidedBy && JSON.stringify(end.decidedBy.detail),
      completed_at: now,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', guessId)
    .where('status', '<>', 'COMPLETE')
    .returning('id')
    .executeTakeFirst();
  return completed !== undefined;
}

/** Single guesses that were created before a moment. */
export async function countOldGuesses(db: Db, { ownerId, before }: OldWork): Promise<number> {
  const { count } = await db
    .selectFrom('guesses')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('list_id', 'is', null)
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Some of them. */
export async function removeOldGuesses(tx: Tx, { ownerId, before }: OldWork, limit: number) {
  const { rows } = await sql<{ id: string; status: string }>`
    delete from guesses where owner_id = ${ownerId} and id in (
      select id from guesses where owner_id = ${ownerId} and list_id is null and created_at < ${before}
      order by id limit ${limit} for update)
    returning id, status`.execute(tx);
  return rows;
}

/** Locks the single guesses of a customer that run. */
export const lockOpenGuesses = (tx: Tx, ownerId: AccountId) =>
  tx
    .selectFrom('guesses')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('list_id', 'is', null)
    .where('status', '<>', 'COMPLETE')
    .orderBy('id')
    .forUpdate()
    .execute();
