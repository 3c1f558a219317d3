import type { ListsQuery } from '@assay/contract';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { escapePattern } from '../../platform/database/escape-pattern.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { headColumns, type ListHead, type ListKind } from './list-kind.ts';
import type { ListPlace, OldWork } from './list-place.ts';
import {
  holdingStatuses,
  type ListStatus,
  resultStatuses,
  statusesBefore,
  visibleStatuses,
  workedOnStatuses,
} from './list-status.ts';
import type { ListKindName } from './lists.tables.ts';

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
  readonly isSandboxOnly?: boolean | undefined;
}

type ListsTable = Tables['lists'];

/** What the place of a list says of it. */
type PlaceColumns = 'owner_id' | 'id' | 'kind';

const layoutColumns = [
  'delimiter',
  'header',
  'column_count',
  'email_column',
  'is_even',
  'with_headers',
] as const;

/** How the customer's table was written, which exports need. Null in lists that are older than the column. */
export type ListLayout = Pick<Selectable<ListsTable>, (typeof layoutColumns)[number]>;

/** The lists of one kind. Each statement says in which statuses it finds a list. */
export class ListStore<Row extends ListHead, Outcome extends string> {
  readonly #kind: ListKind<Row, Outcome>;
  /** As a literal, so that PostgreSQL plans for the partition of the kind only. See docs/decisions/lists-one-table.md. */
  readonly #isOfKind: RawBuilder<boolean>;
  readonly #selected: (keyof ListsTable)[];
  readonly #columns: RawBuilder<unknown>;

  constructor(kind: ListKind<Row, Outcome>) {
    this.#kind = kind;
    this.#isOfKind = sql`kind = ${sql.lit(kind.name)}`;
    this.#selected = [...headColumns, ...kind.columns];
    this.#columns = sql.join(this.#selected.map((column) => sql.ref(column)));
  }

  #isList({ ownerId, listId }: ListPlace, statuses: readonly ListStatus[]): RawBuilder<boolean> {
    return sql`${this.#isOfKind} and owner_id = ${ownerId} and id = ${listId} and status = any(${statuses}::text[])`;
  }

  insert(
    tx: Tx,
    { ownerId, listId }: ListPlace,
    columns: Omit<Insertable<ListsTable>, PlaceColumns>,
  ): Promise<Row> {
    return tx
      .insertInto('lists')
      .values({ ...columns, owner_id: ownerId, id: listId, kind: this.#kind.name })
      .returning(this.#selected)
      .$castTo<Row>()
      .executeTakeFirstOrThrow();
  }

  /** Notes what was not known of a list when it was inserted. */
  async setCounts(
    tx: Tx,
    place: ListPlace,
    columns: Pick<Updateable<ListsTable>, 'total_emails' | 'rows_to_copy' | 'with_headers' | 'delimiter'>,
  ): Promise<void> {
    await this.#update(tx, place).set(columns).execute();
  }

  /** Ends the preparation of a list. Nothing when this run of it is over. */
  publish(
    tx: Tx,
    { run, ...place }: ListPlace & { readonly run: number },
    columns: Updateable<ListsTable>,
  ): Promise<Row | undefined> {
    return this.#update(tx, place)
      .set({
        ...columns,
        status: sql`case when paused_at is null then 'PENDING' else 'PAUSED' end`,
        rows_to_copy: null,
        rows_copied: null,
      })
      .where('status', '=', 'PREPARING')
      .where('run_number', '=', run)
      .returning(this.#selected)
      .$castTo<Row>()
      .executeTakeFirst();
  }

  #update(tx: Tx, { ownerId, listId }: ListPlace) {
    return tx
      .updateTable('lists')
      .where(this.#isOfKind)
      .where('owner_id', '=', ownerId)
      .where('id', '=', listId);
  }

  findLayout(db: Db, { ownerId, listId }: ListPlace): Promise<ListLayout> {
    return db
      .selectFrom('lists')
      .select(layoutColumns)
      .where(this.#isOfKind)
      .where('owner_id', '=', ownerId)
      .where('id', '=', listId)
      .executeTakeFirstOrThrow(() => new AppError('list_not_found', { listId }));
  }

  find(db: Db, place: ListPlace): Promise<Row | undefined> {
    return one(
      db,
      sql<Row>`select ${this.#columns} from lists where ${this.#isList(place, visibleStatuses)}`,
    );
  }

  /** Each with whether it has deferred rows, because most lists wait for nobody and need no further search. */
  findPage(db: Db, ownerId: AccountId, { search = '', sort, isSandboxOnly, ...page }: ListsSelection) {
    const hasWaits = sql`exists (select from list_waits wait where wait.owner_id = list.owner_id and wait.list_id = list.id)`;
    const found = db
      .selectFrom('lists as list')
      .select(this.#selected)
      .select(hasWaits.as('has_waits'))
      .where(this.#isOfKind)
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
        update lists set name = ${name} where ${this.#isList(place, visibleStatuses)}
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
        update lists set status = ${status},
          paused_at = ${status === 'PAUSED' ? now : null},
          is_paused_by_standing = ${isByStanding},
          run_number = run_number + ${status === 'PENDING' ? 1 : 0}
        where ${this.#isList(place, statusesBefore(status))}
        returning ${this.#columns}`,
    );
  }

  /** Notes that a list pauses when it is prepared, or no longer. */
  notePause(tx: Tx, place: ListPlace, pausedAt: Date | null): Promise<Row | undefined> {
    return one(
      tx,
      sql<Row>`
        update lists set paused_at = ${pausedAt}
        where ${this.#isList(place, ['PREPARING'])} returning ${this.#columns}`,
    );
  }

  /** Begins another run of a list that is being prepared. */
  prepareAgain(tx: Tx, place: ListPlace): Promise<Row | undefined> {
    return one(
      tx,
      sql<Row>`
        update lists set run_number = run_number + 1
        where ${this.#isList(place, ['PREPARING'])} returning ${this.#columns}`,
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
        update lists set rows_copied = least(${copied.rows}, rows_to_copy), progress_told_at = ${copied.now}
        where ${this.#isList(place, ['PREPARING'])} and run_number = ${run} returning ${this.#columns}`,
    );
  }

  /** Makes a list that is being prepared fail. */
  fail(tx: Tx, place: ListPlace, failure: { problem: AppError; now: Date }): Promise<Row | undefined> {
    const { problem, now } = failure;
    return one(
      tx,
      sql<Row>`
        update lists set status = 'FAILED', problem = ${problem.code}, problem_text = ${problem.message},
          progress_told_at = ${now}
        where ${this.#isList(place, statusesBefore('FAILED'))} returning ${this.#columns}`,
    );
  }

  async findNames(db: Db, ownerId: AccountId, ids: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from lists
      where ${this.#isOfKind} and owner_id = ${ownerId} and id = any(${ids}::uuid[]) and status = any(${visibleStatuses}::text[])`.execute(
      db,
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Lists that completed or failed after a moment and were not taken before, without those of the sandbox. */
  async takeEnded(tx: Tx, since: Date, now: Date): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace & { readonly isSandbox: boolean }>`
      update lists set completion_noted_at = ${now}
      where ${this.#isOfKind} and completion_noted_at is null
        and (status = 'COMPLETE' and completed_at > ${since} or status = 'FAILED' and progress_told_at > ${since})
      returning owner_id as "ownerId", id as "listId", is_sandbox as "isSandbox"`.execute(tx);
    return rows.filter((row) => !row.isSandbox).map(({ ownerId, listId }) => ({ ownerId, listId }));
  }

  /** Lists that were paused before a moment, a few at a time. */
  async findPausedBefore(db: Db, moment: Date): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select owner_id as "ownerId", id as "listId" from lists
      where ${this.#isOfKind} and status = 'PAUSED' and paused_at < ${moment} order by paused_at limit ${pausedAtATime}`.execute(
      db,
    );
    return rows;
  }

  /** Running lists of accounts that are held or suspended, a few at a time. */
  async findRunningOfRestricted(db: Db): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select list.owner_id as "ownerId", list.id as "listId"
      from accounts join lists as list on list.owner_id = accounts.id
      where ${this.#isOfKind} and standing <> 'open' and ${isRestricted} and list.status = any(${workedOnStatuses}::text[])
      limit ${pausedAtATime}`.execute(db);
    return rows;
  }

  /** Lists that a standing paused, of accounts that are neither held nor suspended any more, a few at a time. */
  async findPausedOfUnrestricted(db: Db): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select list.owner_id as "ownerId", list.id as "listId"
      from lists as list join accounts on accounts.id = list.owner_id
      where ${this.#isOfKind} and list.status = 'PAUSED' and list.is_paused_by_standing and not ${isRestricted}
      limit ${pausedAtATime}`.execute(db);
    return rows;
  }

  /** How many lists have each status that is not an end, and when the one among them that waits longest got a result. */
  async describeOpen(db: Db): Promise<OpenLists[]> {
    const { rows } = await sql<OpenLists>`
      select kind, status, count(*) as count, min(coalesce(progress_told_at, created_at)) as "oldestProgressAt"
      from lists where ${this.#isOfKind} and (${isRunning} or status = 'PAUSED') group by kind, status`.execute(
      db,
    );
    return rows;
  }

  async findRunning(db: Db): Promise<ListPlace[]> {
    const { rows } = await sql<ListPlace>`
      select owner_id as "ownerId", id as "listId" from lists where ${this.#isOfKind} and ${isRunning}`.execute(
      db,
    );
    return rows;
  }

  /** Running lists, the oldest first; only those without a result since a moment, if one is given. */
  async findRunningPage(
    db: Db,
    { silentSince, after, limit }: RunningPage,
  ): Promise<(Row & RunningListHead)[]> {
    const { rows } = await sql<Row & RunningListHead>`
      select ${this.#columns}, owner_id, coalesce(progress_told_at, created_at) as last_result_at from lists
      where ${this.#isOfKind} and ${silentSince ? isSilent(silentSince) : isRunning}
        and ${after ? sql`(created_at, id) > (${after.createdAt}, ${after.listId}::uuid)` : sql`true`}
      order by created_at, id limit ${limit}`.execute(db);
    return rows;
  }

  /** For operators, who do not know the owner. */
  findById(db: Db, listId: string): Promise<(Row & { readonly owner_id: AccountId }) | undefined> {
    return one(
      db,
      sql<Row & { readonly owner_id: AccountId }>`
        select ${this.#columns}, owner_id from lists
        where ${this.#isOfKind} and id = ${listId} and status = any(${visibleStatuses}::text[])`,
    );
  }

  async countSilent(db: Db, since: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from lists where ${this.#isOfKind} and ${isSilent(since)}`.execute(db);
    return rows[0]?.count ?? 0;
  }

  /** Some lists behind an id, in the order of their ids, which stays the same while others come and go. */
  async findAfter(
    db: Db,
    ownerId: AccountId,
    after: string | undefined,
  ): Promise<{ id: string; name: string }[]> {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from lists
      where ${this.#isOfKind} and owner_id = ${ownerId} and status = any(${visibleStatuses}::text[])
        and (${after ?? null}::uuid is null or id > ${after ?? null}::uuid)
      order by id limit ${foundAtATime}`.execute(db);
    return rows;
  }

  async countOld(db: Db, { ownerId, before }: OldWork): Promise<{ lists: number; rows: number }> {
    const { rows } = await sql<{ lists: number; rows: number }>`
      select count(*) as lists, coalesce(sum(${sql.ref(this.#kind.total)}), 0)::bigint as rows from lists
      where ${this.#isOfKind} and owner_id = ${ownerId} and created_at < ${before} and status = any(${visibleStatuses}::text[])`.execute(
      db,
    );
    return rows[0] ?? { lists: 0, rows: 0 };
  }

  /** A few at a time. */
  async findOld(db: Db, { ownerId, before }: OldWork): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from lists
      where ${this.#isOfKind} and owner_id = ${ownerId} and created_at < ${before} and status = any(${visibleStatuses}::text[])
      order by created_at limit ${foundAtATime}`.execute(db);
    return rows.map(({ id }) => id);
  }

  /** Locks a list until the transaction ends, so that no result is written meanwhile. */
  lock(tx: Tx, place: ListPlace): Promise<Row | undefined> {
    const visible = this.#isList(place, visibleStatuses);
    return one(tx, sql<Row>`select ${this.#columns} from lists where ${visible} for update`);
  }

  async lockHolding(tx: Tx, ownerId: AccountId): Promise<Row[]> {
    const { rows } = await sql<Row>`
      select ${this.#columns} from lists
      where ${this.#isOfKind} and owner_id = ${ownerId} and status = any(${holdingStatuses}::text[])
      order by id for update`.execute(tx);
    return rows;
  }

  async remove(tx: Tx, place: ListPlace): Promise<void> {
    const isRemovable = this.#isList(place, statusesBefore('DELETED'));
    const statement =
      this.#kind.removal === 'at once'
        ? sql`delete from lists where ${isRemovable}`
        : sql`update lists set status = 'DELETED' where ${isRemovable}`;
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
        update lists set ${sql.join(additions)},
          status = case when ${isLast} then 'COMPLETE' else status end,
          completed_at = case when ${isLast} then ${now} else completed_at end,
          progress_told_at = case when ${isRecent} then progress_told_at else ${now} end
        where ${this.#isList(place, resultStatuses)}
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
        update lists set progress_told_at = ${now}
        where ${this.#isList(place, resultStatuses)} and progress_told_at < ${writtenAt}
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
  readonly kind: ListKindName;
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
