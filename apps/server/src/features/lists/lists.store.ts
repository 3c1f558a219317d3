import type { ListsQuery } from '@assay/contract';
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { escapePattern } from '../../platform/database/escape-pattern.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import type { ListPlace, OldWork } from './list-place.ts';
import {
  holdingStatuses,
  type ListStatus,
  resultStatuses,
  statusesBefore,
  visibleStatuses,
  workedOnStatuses,
} from './list-status.ts';

const isList = ({ ownerId, listId }: ListPlace, statuses: readonly ListStatus[]) =>
  sql`owner_id = ${ownerId} and id = ${listId} and status = any(${statuses}::text[])`;

const pausedAtATime = 100;
const foundAtATime = 100;

/** As in the indexes of running lists. */
const isRunning = sql`status in ('PREPARING', 'PENDING', 'FINISHING')`;
const isSilent = (since: Date) =>
  sql`${isRunning} and created_at < ${since} and coalesce(progress_told_at, created_at) < ${since}`;

const isRestricted = sql`standing in ('held', 'suspended')`;

export interface StatusChange {
  readonly status: 'PENDING' | 'PAUSED' | 'FINISHING';
  readonly now: Date;
  /** Whether the list pauses because of its account's standing. */
  readonly isByStanding?: boolean;
}

export interface ListsSelection extends ListsQuery {
  /** Only for kinds that have a sandbox. */
  readonly isSandboxOnly?: boolean | undefined;
}

/** The lists of one kind in their table. Each statement says in which statuses it finds a list. */
export class ListStore<Row extends ListHead, Outcome extends string> {
  readonly #kind: ListKind<Row, Outcome>;
  readonly #table: RawBuilder<unknown>;
  readonly #columns: RawBuilder<unknown>;
  readonly #selections: AliasedRawBuilder<unknown, string>[];

  constructor(kind: ListKind<Row, Outcome>) {
    this.#kind = kind;
    this.#table = sql.table(kind.table);
    this.#columns = sql.join(kind.columns.map((column) => sql.ref(column)));
    this.#selections = kind.columns.map((column) => sql.ref(column).as(column));
  }

  find(db: Db, place: ListPlace): Promise<Row | undefined> {
    const visible = isList(place, visibleStatuses);
    return one(db, sql<Row>`select ${this.#columns} from ${this.#table} where ${visible}`);
  }

  /** Each with whether it has deferred rows, because most lists wait for nobody and need no further search. */
  findPage(db: Db, ownerId: AccountId, { search = '', sort, isSandboxOnly, ...page }: ListsSelection) {
    const hasWaits = sql`exists (select from list_waits wait where wait.owner_id = list.owner_id and wait.list_id = list.id)`;
    const found = db
      .selectFrom(sql<ListHead & { owner_id: AccountId }>`${this.#table}`.as('list'))
      .select([...this.#selections, hasWaits.as('has_waits')])
      .where('owner_id', '=', ownerId)
      .where('status', 'in', visibleStatuses)
      .$if(search !== '', (query) => query.where('name', 'ilike', `%${escapePattern(search)}%`))
      .$if(isSandboxOnly === true, (query) => query.where('is_sandbox', '=', true))
      .orderBy(this.#sortKey(sort), sort.startsWith('-') ? 'desc' : 'asc')
      .orderBy('id')
      .$castTo<Row & MayWait>();
    return findPage(found, page);
  }

  #sortKey(sort: ListsQuery['sort']) {
    if (sort.endsWith('name')) return sql`lower(name)`;
    return sort.endsWith('size') ? sql.ref(this.#kind.total) : sql.ref('created_at');
  }

  rename(db: Db, place: ListPlace, name: string): Promise<Row | undefined> {
    return one(
      db,
      sql<Row>`
        update ${this.#table} set name = ${name} where ${isList(place, visibleStatuses)}
        returning ${this.#columns}`,
    );
  }

  /** Moves a list to another status, if it may. A list that becomes PENDING again starts a new run. */
  changeStatus(
    tx: Tx,
    place: ListPlace,
    { status, now, isByStanding = false }: StatusChange,
  ): Promise<Row | undefined> {
    return one(
      tx,
      sql<Row>`
        update ${this.#table} set status = ${status},
          paused_at = ${status === 'PAUSED' ? now : null},
          is_paused_by_standing = ${isByStanding},
          run_number = run_number + ${status === 'PENDING' ? 1 : 0}
        where ${isList(place, statusesBefore(status))}
        returning ${this.#columns}`,
    );
  }

  /** Notes that a list pauses when it is prepared, or no longer. */
  notePause(tx: Tx, place: ListPlace, pausedAt: Date | null): Promise<Row | undefined> {
    return one(
      tx,
      sql<Row>`
        update ${this.#table} set paused_at = ${pausedAt}
        where ${isList(place, ['PREPARING'])} returning ${this.#columns}`,
    );
  }

  /** Begins another run of a list that is being prepared. */
  prepareAgain(tx: Tx, place: ListPlace): Promise<Row | undefined> {
    return one(
      tx,
      sql<Row>`
        update ${this.#table} set run_number = run_number + 1
        where ${isList(place, ['PREPARING'])} returning ${this.#columns}`,
    );
  }

  /** Counts copied rows. Nothing when this run of the preparation is over. */
  noteCopied(
    db: Db,
    { run, ...place }: ListPlace & { readonly run: number },
    copied: { readonly rows: number; readonly now: Date },
  ): Promise<Row | undefined> {
    return one(
      db,
      sql<Row>`
        update ${this.#table} set rows_copied = least(${copied.rows}, rows_to_copy), progress_told_at = ${copied.now}
        where ${isList(place, ['PREPARING'])} and run_number = ${run} returning ${this.#columns}`,
    );
  }

  /** Makes a list that is being prepared fail. */
  fail(tx: Tx, place: ListPlace, failure: { problem: AppError; now: Date }): Promise<Row | undefined> {
    const { problem, now } = failure;
    return one(
      tx,
      sql<Row>`
        update ${this.#table} set status = 'FAILED', problem = ${problem.code}, problem_text = ${problem.message},
          progress_told_at = ${now}
        where ${isList(place, statusesBefore('FAILED'))} returning ${this.#columns}`,
    );
  }

  async findNames(db: Db, ownerId: AccountId, ids: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from ${this.#table}
      where owner_id = ${ownerId} and id = any(${ids}::uuid[]) and status = any(${visibleStatuses}::text[])`.execute(
      db,
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Lists that completed or failed after a moment and were not taken before, without those of the sandbox. */
  async takeEnded(tx: Tx, since: Date, now: Date): Promise<ListPlace[]> {
    const isSandbox = this.#kind.columns.includes('is_sandbox') ? sql.ref('is_sandbox') : sql.lit(false);
    const hasFailed = this.#kind.columns.includes('problem')
      ? sql`status = 'FAILED' and progress_told_at > ${since}`
      : sql.lit(false);
    const { rows } = await sql<ListPlace & { readonly isSandbox: boolean }>`
      update ${this.#table} set completion_noted_at = ${now}
      where completion_noted_at is null and (status = 'COMPLETE' and completed_at > ${since} or ${hasFailed})
      returning owner_id as "ownerId", id as "listId", ${isSandbox} as "isSandbox"`.execute(tx);
    return rows.filter((row) => !row.isSandbox).map(({ ownerId, listId }) => ({ ownerId, listId }));
  }

  /** Lists that were paused before a moment, a few at a time. */
  async findPausedBefore(db: Db, moment: Date): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select owner_id as "ownerId", id as "listId" from ${this.#table}
      where status = 'PAUSED' and paused_at < ${moment} order by paused_at limit ${pausedAtATime}`.execute(
      db,
    );
    return rows;
  }

  /** Running lists of accounts that are held or suspended, a few at a time. */
  async findRunningOfRestricted(db: Db): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select list.owner_id as "ownerId", list.id as "listId"
      from accounts join ${this.#table} as list on list.owner_id = accounts.id
      where standing <> 'open' and ${isRestricted} and list.status = any(${workedOnStatuses}::text[])
      limit ${pausedAtATime}`.execute(db);
    return rows;
  }

  /** Lists that a standing paused, of accounts that are neither held nor suspended any more, a few at a time. */
  async findPausedOfUnrestricted(db: Db): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select list.owner_id as "ownerId", list.id as "listId"
      from ${this.#table} as list join accounts on accounts.id = list.owner_id
      where list.status = 'PAUSED' and list.is_paused_by_standing and not ${isRestricted}
      limit ${pausedAtATime}`.execute(db);
    return rows;
  }

  /** How many lists have each status that is not an end, and when the one among them that waits longest got a result. */
  async describeOpen(db: Db): Promise<OpenLists[]> {
    const { rows } = await sql<OpenLists>`
      select status, count(*) as count, min(coalesce(progress_told_at, created_at)) as "oldestProgressAt"
      from ${this.#table} where ${isRunning} or status = 'PAUSED' group by status`.execute(db);
    return rows;
  }

  async findRunning(db: Db): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select owner_id as "ownerId", id as "listId" from ${this.#table} where ${isRunning}`.execute(db);
    return rows;
  }

  /** Running lists, the oldest first; only those without a result since a moment, if one is given. */
  async findRunningPage(
    db: Db,
    { silentSince, after, limit }: RunningPage,
  ): Promise<(Row & RunningListHead)[]> {
    const { rows } = await sql<Row & RunningListHead>`
      select ${this.#columns}, owner_id, coalesce(progress_told_at, created_at) as last_result_at from ${this.#table}
      where ${silentSince ? isSilent(silentSince) : isRunning}
        and ${after ? sql`(created_at, id) > (${after.createdAt}, ${after.listId}::uuid)` : sql`true`}
      order by created_at, id limit ${limit}`.execute(db);
    return rows;
  }

  /** For operators, who do not know the owner. */
  findById(db: Db, listId: string): Promise<(Row & { readonly owner_id: AccountId }) | undefined> {
    return one(
      db,
      sql<Row & { readonly owner_id: AccountId }>`
        select ${this.#columns}, owner_id from ${this.#table}
        where id = ${listId} and status = any(${visibleStatuses}::text[])`,
    );
  }

  async countSilent(db: Db, since: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${this.#table} where ${isSilent(since)}`.execute(db);
    return rows[0]?.count ?? 0;
  }

  /** Some lists behind an id, in the order of their ids, which stays the same while others come and go. */
  async findAfter(
    db: Db,
    ownerId: AccountId,
    after: string | undefined,
  ): Promise<{ id: string; name: string }[]> {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from ${this.#table}
      where owner_id = ${ownerId} and status = any(${visibleStatuses}::text[])
        and (${after ?? null}::uuid is null or id > ${after ?? null}::uuid)
      order by id limit ${foundAtATime}`.execute(db);
    return rows;
  }

  async countOld(db: Db, { ownerId, before }: OldWork): Promise<{ lists: number; rows: number }> {
    const { rows } = await sql<{ lists: number; rows: number }>`
      select count(*) as lists, coalesce(sum(${sql.ref(this.#kind.total)}), 0)::bigint as rows from ${this.#table}
      where owner_id = ${ownerId} and created_at < ${before} and status = any(${visibleStatuses}::text[])`.execute(
      db,
    );
    return rows[0] ?? { lists: 0, rows: 0 };
  }

  /** A few at a time. */
  async findOld(db: Db, { ownerId, before }: OldWork): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from ${this.#table}
      where owner_id = ${ownerId} and created_at < ${before} and status = any(${visibleStatuses}::text[])
      order by created_at limit ${foundAtATime}`.execute(db);
    return rows.map(({ id }) => id);
  }

  /** Locks a list until the transaction ends, so that no result is written meanwhile. */
  lock(tx: Tx, place: ListPlace): Promise<Row | undefined> {
    const visible = isList(place, visibleStatuses);
    return one(tx, sql<Row>`select ${this.#columns} from ${this.#table} where ${visible} for update`);
  }

  async lockHolding(tx: Tx, ownerId: AccountId): Promise<Row[]> {
    const { rows } = await sql<Row>`
      select ${this.#columns} from ${this.#table}
      where owner_id = ${ownerId} and status = any(${holdingStatuses}::text[])
      order by id for update`.execute(tx);
    return rows;
  }

  async remove(tx: Tx, place: ListPlace): Promise<void> {
    const isRemovable = isList(place, statusesBefore('DELETED'));
    const statement =
      this.#kind.removal === 'at once'
        ? sql`delete from ${this.#table} where ${isRemovable}`
        : sql`update ${this.#table} set status = 'DELETED' where ${isRemovable}`;
    await statement.execute(tx);
  }

  /**
   * Adds outcomes, and completes the list with its last one. Progress that was not published since `dueSince` is due, and
   * counts as published from now on.
   *
   * One statement does all of it: a second update of the same row would make PostgreSQL lock the customer's row for the
   * foreign key, after the list. Deleting the account locks the two the other way round.
   */
  addToCounters(
    tx: Tx,
    place: ListPlace,
    {
      counts,
      furtherCounts,
    }: {
      readonly counts: Readonly<Record<Outcome, number>>;
      readonly furtherCounts: FurtherCounts<Row>;
    },
    { now, dueSince }: { readonly now: Date; readonly dueSince: Date },
  ): Promise<CountedList<Row> | undefined> {
    const { counters, total } = this.#kind;
    const sums = (Object.keys(counters) as Outcome[]).map((outcome) => {
      const counter = sql.ref(counters[outcome]);
      return { counter, sum: sql`${counter} + ${counts[outcome]}::bigint` };
    });
    const further = Object.entries(furtherCounts as Readonly<Record<string, number>>).map(
      ([column, count]) => sql`${sql.ref(column)} = ${sql.ref(column)} + ${count}::bigint`,
    );
    const additions = [...sums.map(({ counter, sum }) => sql`${counter} = ${sum}`), ...further];
    const completed = sql.join(
      sums.map(({ sum }) => sum),
      sql` + `,
    );
    const isLast = sql`${completed} >= ${sql.ref(total)}`;
    // A moment that is much later is from a clock that was ahead, and must not silence the list until then. One that is a little
    // later is from another worker, or from a batch that began after this one.
    const isRecent = sql`progress_told_at > ${dueSince} and progress_told_at <= ${now}::timestamptz + interval '1 second'`;
    return one(
      tx,
      sql<CountedList<Row>>`
        update ${this.#table} set ${sql.join(additions)},
          status = case when ${isLast} then 'COMPLETE' else status end,
          completed_at = case when ${isLast} then ${now} else completed_at end,
          progress_told_at = case when ${isRecent} then progress_told_at else ${now} end
        where ${isList(place, resultStatuses)}
        returning ${this.#columns}, progress_told_at = ${now} as is_progress_due`,
    );
  }

  /** The list, if its progress was not published since `writtenAt`. It counts as published from now on. */
  takeUnpublished(
    tx: Tx,
    place: ListPlace,
    { writtenAt, now }: { readonly writtenAt: Date; readonly now: Date },
  ): Promise<Row | undefined> {
    return one(
      tx,
      sql<Row>`
        update ${this.#table} set progress_told_at = ${now}
        where ${isList(place, resultStatuses)} and progress_told_at < ${writtenAt}
        returning ${this.#columns}`,
    );
  }
}

/** Counts that are no outcomes, by column: of rows that are counted under an outcome too. */
export type FurtherCounts<Row> = { readonly [Column in keyof Row & string]?: number };

export interface MayWait {
  /** False when no row of the list was deferred. */
  readonly has_waits?: boolean;
}

export interface OpenLists {
  readonly status: 'PREPARING' | 'PENDING' | 'FINISHING' | 'PAUSED';
  readonly count: number;
  readonly oldestProgressAt: Date;
}

export interface RunningPage {
  readonly silentSince?: Date | undefined;
  /** The last list of the page before. */
  readonly after?: { readonly createdAt: Date; readonly listId: string } | undefined;
  readonly limit: number;
}

/** The last result, or the creation if there is none. */
export interface RunningListHead {
  readonly owner_id: AccountId;
  readonly last_result_at: Date;
}

export type CountedList<Row> = Row & { readonly is_progress_due: boolean };

async function one<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row | undefined> {
  const { rows } = await statement.execute(db);
  return rows[0];
}
