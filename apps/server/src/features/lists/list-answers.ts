import type { ValidationList } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isPortClosed } from '../engine/index.ts';
import { countsOf } from './list-counts.ts';
import { notFound, requireCompletion } from './list-errors.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import type { ListPlace, OldWork } from './list-place.ts';
import { progressOf } from './list-progress.ts';
import { rowlessStatuses, shownStatus, workedOnStatuses } from './list-status.ts';
import { findWaits, type ListWaits, noWaits } from './list-waits.store.ts';
import type {
  ListStore,
  ListsSelection,
  MayWait,
  OpenLists,
  RunningListHead,
  RunningPage,
} from './lists.store.ts';
import { runStateOf } from './run-state.ts';

type ListAnswer = Pick<
  ValidationList,
  | 'id'
  | 'name'
  | 'status'
  | 'progress'
  | 'creation_date'
  | 'completion_date'
  | 'file_name'
  | 'charged_credits'
  | 'run_state'
  | 'waiting'
  | 'preparation'
  | 'source_list_id'
>;

/** What customers and operators learn about lists of one kind. Nothing here changes a list. */
export class ListAnswers<Row extends ListHead, Outcome extends string> {
  readonly #kind: ListKind<Row, Outcome>;
  readonly #store: ListStore<Row, Outcome>;

  constructor(kind: ListKind<Row, Outcome>, store: ListStore<Row, Outcome>) {
    this.#kind = kind;
    this.#store = store;
  }

  find(db: Db, place: ListPlace): Promise<Row | undefined> {
    return this.#store.find(db, place);
  }

  async require(db: Db, place: ListPlace): Promise<Row> {
    return (await this.#store.find(db, place)) ?? notFound(place);
  }

  /** The list, if its rows are there. Before that, an answer about them would be wrong. */
  async requireRows(db: Db, place: ListPlace): Promise<Row> {
    const list = await this.require(db, place);
    if (list.status === 'FAILED') throw new AppError('list_failed', { listId: list.id });
    if (list.status === 'PREPARING') throw new AppError('list_without_rows', { listId: list.id });
    return list;
  }

  async requireComplete(db: Db, place: ListPlace): Promise<Row> {
    return requireCompletion(await this.require(db, place));
  }

  /** The list that was made of an upload. After it was deleted, the customer must send the file again. */
  async requireMadeOf(db: Db, place: ListPlace, uploadId: string): Promise<Row> {
    const list = await this.#store.find(db, place);
    if (!list) throw new AppError('upload_not_found', { uploadId });
    return list;
  }

  findPage(db: Db, ownerId: AccountId, query: ListsSelection) {
    return this.#store.findPage(db, ownerId, query);
  }

  /** All lists of a customer, a few at a time. */
  async *findAll(db: Db, ownerId: AccountId): AsyncGenerator<{ readonly id: string; readonly name: string }> {
    for (let after: string | undefined; ; ) {
      const lists = await this.#store.findAfter(db, ownerId, after);
      if (lists.length === 0) return;
      yield* lists;
      after = lists.at(-1)?.id;
    }
  }

  /** The names of lists that exist, by their ids. */
  findNames(db: Db, ownerId: AccountId, ids: readonly string[]): Promise<Map<string, string>> {
    return this.#store.findNames(db, ownerId, ids);
  }

  findById(db: Db, listId: string): Promise<(Row & { readonly owner_id: AccountId }) | undefined> {
    return this.#store.findById(db, listId);
  }

  findRunningPage(db: Db, page: RunningPage): Promise<(Row & RunningListHead)[]> {
    return this.#store.findRunningPage(db, page);
  }

  describeOpen(db: Db): Promise<OpenLists[]> {
    return this.#store.describeOpen(db);
  }

  countSilent(db: Db, since: Date): Promise<number> {
    return this.#store.countSilent(db, since);
  }

  /** How many lists were created before a moment, and how many rows they have. */
  countOld(db: Db, old: OldWork): Promise<{ lists: number; rows: number }> {
    return this.#store.countOld(db, old);
  }

  /** What rows wait for, of those of the lists that are worked on. */
  async findWaits(
    db: Db,
    ownerId: AccountId,
    lists: readonly (Row & MayWait)[],
    now: Date,
  ): Promise<(list: Row) => ListWaits> {
    const workedOn = lists.filter(({ status }) => workedOnStatuses.includes(status));
    const listIds = workedOn.filter(({ has_waits = true }) => has_waits).map(({ id }) => id);
    const waits = await findWaits(db, this.#kind.name, { ownerId, listIds, now });
    const isClosed = workedOn.some((list) => list.has_real_domain) && (await isPortClosed(db, now));
    return (list) => ({
      ...noWaits,
      ...waits.get(list.id),
      isPortClosed: isClosed && list.has_real_domain,
    });
  }

  /** What the API answers about lists of every kind. */
  answerOf(list: Row, waits: ListWaits = noWaits): ListAnswer {
    const counts = this.countsOf(list);
    return {
      id: list.id,
      name: list.name,
      status: shownStatus(list.status),
      progress: rowlessStatuses.includes(list.status) ? 0 : progressOf(counts),
      creation_date: list.created_at.toISOString(),
      completion_date: list.completed_at?.toISOString() ?? null,
      file_name: list.file_name,
      charged_credits: list.is_sandbox ? 0 : counts.dueCredits,
      run_state: runStateOf(list, {
        left: counts.total - counts.completed,
        waiting: waits.rowCount,
        isPortClosed: waits.isPortClosed,
      }),
      waiting: [...waits.hosts],
      preparation: preparationOf(list),
      source_list_id: list.source_list_id,
    };
  }

  countsOf(list: Row) {
    return countsOf(this.#kind, list);
  }
}

/** How far the job is that copies the rows, or why it failed. */
function preparationOf({
  status,
  rows_to_copy,
  rows_copied,
  problem,
  problem_text,
}: ListHead): ValidationList['preparation'] {
  if (!rowlessStatuses.includes(status)) return null;
  return {
    total_rows: rows_to_copy ?? 0,
    copied_rows: rows_copied ?? 0,
    problem: problem ? { code: problem, message: problem_text ?? new AppError(problem).message } : null,
  };
}
