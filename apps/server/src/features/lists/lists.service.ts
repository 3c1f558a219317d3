import type { RealtimeEvent, ValidationList } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import { publishEvent, publishEvents } from '../../platform/events/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { findListsWithoutJobs, type JobQueue } from '../../platform/queue/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import { type PaidWork, type PayingKey, paidWork, settleTogether } from '../billing/index.ts';
import { isPortClosed } from '../engine/index.ts';
import { moveJobsByStanding } from './first-place.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import type { ListPlace, OldWork } from './list-place.ts';
import { progressEveryMs, progressOf } from './list-progress.ts';
import {
  holdingStatuses,
  resultStatuses,
  rowlessStatuses,
  shownStatus,
  workedOnStatuses,
} from './list-status.ts';
import { findWaits, type ListWaits, noteWaits, noWaits, type PutOff, removeWaits } from './list-waits.ts';
import {
  type CountedList,
  type FurtherCounts,
  ListStore,
  type ListsSelection,
  type MayWait,
  type OpenLists,
  type RunningListHead,
  type RunningPage,
  type StatusChange,
} from './lists.store.ts';
import { runStateOf } from './run-state.ts';

interface ListCounts {
  readonly total: number;
  readonly completed: number;
  /** What the outcomes so far cost. */
  readonly dueCredits: number;
}

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

/** A paused list that its customer forgot is finished after this time, which gives its hold back. */
const pauseMaxMs = 30 * 24 * 3_600_000;

interface ControlParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

/** What counted outcomes have done to a list. */
type ListStep = 'complete' | 'published' | 'too soon';

/** Runs in the transaction of a change, and only if there is one. */
type RecordChange = (tx: Tx) => Promise<void>;

/** Everything that lists of one kind do in the same way as those of the others. */
export class Lists<Row extends ListHead, Outcome extends string> {
  readonly #kind: ListKind<Row, Outcome>;
  readonly #store: ListStore<Row, Outcome>;

  constructor(kind: ListKind<Row, Outcome>) {
    this.#kind = kind;
    this.#store = new ListStore(kind);
  }

  findPage(db: Db, ownerId: AccountId, query: ListsSelection) {
    return this.#store.findPage(db, ownerId, query);
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
    return complete(await this.require(db, place));
  }

  /** The same, and the list is not deleted until the transaction ends. */
  async lockComplete(tx: Tx, place: ListPlace): Promise<Row> {
    return complete((await this.#store.lock(tx, place)) ?? notFound(place));
  }

  /** Locks a list that the customer can see until the transaction ends. */
  async lock(tx: Tx, place: ListPlace): Promise<Row> {
    return (await this.#store.lock(tx, place)) ?? notFound(place);
  }

  /** The list that was made of an upload. After it was deleted, the customer must send the file again. */
  async requireMadeOf(db: Db, place: ListPlace, uploadId: string): Promise<Row> {
    const list = await this.#store.find(db, place);
    if (!list) throw new AppError('upload_not_found', { uploadId });
    return list;
  }

  async rename(db: Db, place: ListPlace, name: string): Promise<Row> {
    const list = (await this.#store.rename(db, place, name)) ?? notFound(place);
    await this.#publish(db, place, 'list_changed');
    return list;
  }

  /** Deletes a list and stops its work: outcomes so far are paid for, the rest of the hold goes back. */
  delete(
    { db, clock }: { readonly db: Db; readonly clock: Clock },
    actor: Actor,
    listId: string,
  ): Promise<void> {
    const place = { ownerId: actor.accountId, listId };
    return runTransaction(db, async (tx) => {
      const list = (await this.#store.lock(tx, place)) ?? notFound(place);
      await this.#store.remove(tx, place);
      await removeWaits(tx, place);
      await this.#publish(tx, place, 'list_deleted');
      if (holdingStatuses.includes(list.status)) {
        await this.#countStopped(tx, place, list);
        await this.settleStopped(tx, place, list, clock.now());
      }
      await recordActivity(tx, actor, { kind: 'deletion.list', list, now: clock.now() });
    });
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

  /** How many lists were created before a moment, and how many rows they have. */
  countOld(db: Db, old: OldWork): Promise<{ lists: number; rows: number }> {
    return this.#store.countOld(db, old);
  }

  /** Deletes the lists that were created before a moment, those that still run too. */
  async deleteOld(
    parts: { readonly db: Db; readonly clock: Clock },
    old: OldWork,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const listIds = await this.#store.findOld(parts.db, old);
      if (listIds.length === 0) return;
      for (const listId of listIds) {
        signal.throwIfAborted();
        // Between the search and this call its customer may have deleted it.
        await this.delete(parts, { accountId: old.ownerId }, listId).catch(ignoreNotFound);
      }
    }
  }

  /** Ends the work on a list for now. Results of work that is under way still count. */
  pause(parts: ControlParts, place: ListPlace, record?: RecordChange): Promise<Row> {
    return this.#control(parts, place, async (tx, list) => {
      if (list.status === 'PAUSED') return list;
      if (list.status === 'COMPLETE') throw new AppError('list_complete', { listId: place.listId });
      const now = parts.clock.now();
      if (list.status === 'PREPARING' && list.paused_at !== null) return list;
      const paused =
        list.status === 'PREPARING'
          ? await this.#notePause(tx, place, now)
          : await this.#changeStatus(tx, place, { status: 'PAUSED', now });
      await record?.(tx);
      return paused;
    });
  }

  /** Enqueues what is left of a paused list. Jobs from before the pause end at once, because their run is over. */
  resume(parts: ControlParts, place: ListPlace, record?: RecordChange): Promise<Row> {
    return this.#control(parts, place, async (tx, list) => {
      if (list.status === 'PENDING' || list.status === 'COMPLETE') return list;
      if (list.status === 'PREPARING' && list.paused_at === null) return list;
      const resumed =
        list.status === 'PREPARING'
          ? await this.#notePause(tx, place, null)
          : await this.#startRun(parts, tx, place);
      await record?.(tx);
      return resumed;
    });
  }

  /** The job that copies the rows of a list looks at it when they are there. */
  async #notePause(tx: Tx, place: ListPlace, pausedAt: Date | null): Promise<Row> {
    return (await this.#store.notePause(tx, place, pausedAt)) ?? notFound(place);
  }

  async #startRun({ clock, queue }: ControlParts, tx: Tx, place: ListPlace): Promise<Row> {
    const list = await this.#changeStatus(tx, place, { status: 'PENDING', now: clock.now() });
    await this.#kind.enqueueRows(queue, tx, place, list);
    return list;
  }

  /** Enqueues the open rows of a list anew, for jobs that were lost. The jobs of the run before end at once. */
  restart(parts: ControlParts, place: ListPlace, record: RecordChange): Promise<Row> {
    return this.#control(parts, place, async (tx, list) => {
      if (list.status === 'COMPLETE') throw new AppError('list_complete', { listId: place.listId });
      if (list.status === 'PAUSED') throw new AppError('list_paused', { listId: place.listId });
      let restarted = list;
      if (list.status === 'FINISHING') await parts.queue.enqueue(tx, this.#kind.finishJob, place);
      else if (list.status === 'PREPARING') {
        restarted = (await this.#store.prepareAgain(tx, place)) ?? notFound(place);
        await this.#kind.enqueueRows(parts.queue, tx, place, restarted);
      } else {
        await this.#changeStatus(tx, place, { status: 'PAUSED', now: parts.clock.now() });
        restarted = await this.#startRun(parts, tx, place);
      }
      await record(tx);
      return restarted;
    });
  }

  /**
   * Restarts running lists that have no job, one by one. A job that ends enqueues the remaining work in the same transaction, so
   * there are none unless jobs were lost. Lists with a job that failed for good wait for a person.
   */
  async *repair(parts: ControlParts, signal: AbortSignal): AsyncGenerator<ListPlace> {
    const running = await this.#store.findRunning(parts.db);
    const without = await findListsWithoutJobs(parts.db, {
      listIds: running.map(({ listId }) => listId),
      queuePrefix: this.#kind.queuePrefix,
    });
    for (const place of running.filter(({ listId }) => without.has(listId))) {
      signal.throwIfAborted();
      // Between the search and this call it may have ended.
      if (await this.#restartIfRunning(parts, place)) yield place;
    }
  }

  async #restartIfRunning(parts: ControlParts, place: ListPlace): Promise<boolean> {
    try {
      await this.restart(parts, place, async () => undefined);
      return true;
    } catch (error) {
      if (error instanceof AppError && hasEnded.includes(error.code)) return false;
      throw error;
    }
  }

  findRunningPage(db: Db, page: RunningPage): Promise<(Row & RunningListHead)[]> {
    return this.#store.findRunningPage(db, page);
  }

  findById(db: Db, listId: string): Promise<(Row & { readonly owner_id: AccountId }) | undefined> {
    return this.#store.findById(db, listId);
  }

  describeOpen(db: Db): Promise<OpenLists[]> {
    return this.#store.describeOpen(db);
  }

  countSilent(db: Db, since: Date): Promise<number> {
    return this.#store.countSilent(db, since);
  }

  /** Ends a list without checking what is left. A job does it, because the rows are too many for one transaction. */
  finish(parts: ControlParts, place: ListPlace, record?: RecordChange): Promise<Row> {
    return this.#control(parts, place, async (tx, list) => {
      if (list.status === 'FINISHING' || list.status === 'COMPLETE') return list;
      if (list.status === 'PREPARING') throw new AppError('list_preparing', { listId: place.listId });
      const finishing = await this.#changeStatus(tx, place, {
        status: 'FINISHING',
        now: parts.clock.now(),
      });
      await parts.queue.enqueue(tx, this.#kind.finishJob, place);
      await record?.(tx);
      return finishing;
    });
  }

  /** Lists that completed or failed after a moment, without those of the sandbox. Every list is returned once. */
  takeEnded(tx: Tx, since: Date, now: Date): Promise<ListPlace[]> {
    return this.#store.takeEnded(tx, since, now);
  }

  /** The names of lists that exist, by their ids. */
  findNames(db: Db, ownerId: AccountId, ids: readonly string[]): Promise<Map<string, string>> {
    return this.#store.findNames(db, ownerId, ids);
  }

  find(db: Db, place: ListPlace): Promise<Row | undefined> {
    return this.#store.find(db, place);
  }

  /** Finishes lists that were paused too long ago. */
  async finishForgotten(parts: ControlParts, signal: AbortSignal): Promise<void> {
    const pausedBefore = new Date(parts.clock.now().getTime() - pauseMaxMs);
    for (const place of await this.#store.findPausedBefore(parts.db, pausedBefore)) {
      signal.throwIfAborted();
      // Between the search and this call its customer may have deleted it.
      await this.finish(parts, place).catch(ignoreNotFound);
    }
  }

  /**
   * Pauses the running lists of accounts that are held or suspended, and resumes such lists of all other accounts. Rows of
   * throttled accounts wait behind all others.
   */
  async followStandings(parts: ControlParts): Promise<void> {
    await moveJobsByStanding(parts.db, this.#kind.rowQueues);
    const running = () => this.#store.findRunningOfRestricted(parts.db);
    for (let places = await running(); places.length > 0; places = await running()) {
      for (const place of places) await this.#pauseByStanding(parts, place).catch(ignoreNotFound);
    }
    const paused = () => this.#store.findPausedOfUnrestricted(parts.db);
    for (let places = await paused(); places.length > 0; places = await paused()) {
      for (const place of places) await this.#resumeByStanding(parts, place).catch(ignoreNotFound);
    }
  }

  #pauseByStanding(parts: ControlParts, place: ListPlace): Promise<Row> {
    return this.#control(parts, place, async (tx, list) => {
      if (list.status !== 'PENDING') return list;
      return this.#changeStatus(tx, place, { status: 'PAUSED', now: parts.clock.now(), isByStanding: true });
    });
  }

  #resumeByStanding(parts: ControlParts, place: ListPlace): Promise<Row> {
    return this.#control(parts, place, async (tx, list) => {
      if (list.status !== 'PAUSED' || !list.is_paused_by_standing) return list;
      return this.#startRun(parts, tx, place);
    });
  }

  #control({ db }: ControlParts, place: ListPlace, work: (tx: Tx, list: Row) => Promise<Row>): Promise<Row> {
    return runTransaction(db, async (tx) => {
      const list = (await this.#store.lock(tx, place)) ?? notFound(place);
      if (list.status === 'FAILED') throw new AppError('list_failed', { listId: place.listId });
      const changed = await work(tx, list);
      if (changed !== list) await this.#publish(tx, place, 'list_changed');
      return changed;
    });
  }

  async #changeStatus(tx: Tx, place: ListPlace, change: StatusChange): Promise<Row> {
    const changed = await this.#store.changeStatus(tx, place, change);
    // The list is locked and its other statuses were handled, so only a list that is being finished is left.
    if (!changed) throw new AppError('list_finishing', { listId: place.listId });
    return changed;
  }

  /** Tells how many rows of a list are copied. False when this run of its preparation is over. */
  async noteCopied(
    { db, clock }: Pick<ControlParts, 'db' | 'clock'>,
    list: ListPlace & { readonly run: number },
    rows: number,
  ): Promise<boolean> {
    const counted = await this.#store.noteCopied(db, list, { rows, now: clock.now() });
    if (counted) await this.#publish(db, list, 'list_changed');
    return counted !== undefined;
  }

  /** Ends a list whose rows cannot be copied, and gives its credits back. `announce` runs last, in the same transaction. */
  fail(
    { db, clock }: Pick<ControlParts, 'db' | 'clock'>,
    { run, ...place }: ListPlace & { readonly run: number },
    problem: AppError,
    announce: (tx: Tx, list: Row, now: Date) => Promise<void>,
  ): Promise<void> {
    return runTransaction(db, async (tx) => {
      const list = await this.#store.lock(tx, place);
      if (list?.status !== 'PREPARING' || list.run_number !== run) return;
      const now = clock.now();
      const failed = (await this.#store.fail(tx, place, { problem, now })) ?? notFound(place);
      await this.#publish(tx, place, 'list_changed');
      await this.#countStopped(tx, place, list);
      await this.workOf(place, list).release(tx, now);
      await announce(tx, failed, now);
    });
  }

  /** Rows without an outcome are no longer pending. */
  async #countStopped(tx: Tx, place: ListPlace, list: Row): Promise<void> {
    const { total, completed } = this.countsOf(list);
    await this.#kind.onStop?.(tx, place, list, total - completed);
  }

  /** Publishes that the rows of a list are there. */
  publishPrepared(tx: Tx, place: ListPlace): Promise<void> {
    return this.#publish(tx, place, 'list_changed');
  }

  /** Notes deferred rows, and publishes the change. */
  async putOff(tx: Tx, place: ListPlace, runNumber: number, rows: readonly PutOff[]): Promise<void> {
    await noteWaits(tx, place, runNumber, rows);
    await this.#publish(tx, place, 'list_changed');
  }

  /** Locks the lists of a customer that still hold credits. */
  lockHolding(tx: Tx, ownerId: AccountId): Promise<Row[]> {
    return this.#store.lockHolding(tx, ownerId);
  }

  /** Settles a list that ends before its last outcome. */
  settleStopped(tx: Tx, place: ListPlace, list: Row, now: Date): Promise<void> {
    return this.workOf(place, list).stop(tx, this.countsOf(list).dueCredits, now);
  }

  /** Locks a list before an outcome is written. False when it takes no more, because it was deleted or is complete. */
  async lockForResults(tx: Tx, place: ListPlace): Promise<boolean> {
    const list = await this.#store.lock(tx, place);
    return list !== undefined && resultStatuses.includes(list.status);
  }

  /** Counts outcomes; the last one completes the list. Nothing when the list takes no more. */
  count(
    tx: Tx,
    place: ListPlace,
    counts: Readonly<Record<Outcome, number>>,
    now: Date,
    furtherCounts: FurtherCounts<Row> = {},
  ): Promise<CountedList<Row> | undefined> {
    const dueSince = new Date(now.getTime() - progressEveryMs);
    return this.#store.addToCounters(tx, place, { counts, furtherCounts }, { now, dueSince });
  }

  /** Publishes progress that is due, and settles a list that the counted outcomes have completed. */
  async advance(tx: Tx, { ownerId }: ListPlace, list: CountedList<Row>, now: Date): Promise<ListStep> {
    const [step] = await this.advanceTogether(tx, ownerId, [list], now);
    return step as ListStep;
  }

  /** The same for several lists of one customer, whose news share a statement, and whose settlements another one. */
  async advanceTogether(
    tx: Tx,
    ownerId: AccountId,
    lists: readonly CountedList<Row>[],
    now: Date,
  ): Promise<ListStep[]> {
    const steps = lists.map(stepOf);
    const news = lists.filter((_, at) => steps[at] !== 'too soon').map((list) => this.#newsOf(list));
    if (news.length > 0) await publishEvents(tx, ownerId, news);
    const paid = lists.filter((list, at) => steps[at] === 'complete' && !list.is_sandbox);
    if (paid.length > 0) {
      const works = paid.map((list) => ({ id: list.id, dueCredits: this.countsOf(list).dueCredits }));
      await settleTogether(tx, { kind: this.#kind.work, ownerId, works, now });
    }
    return steps;
  }

  /** Publishes the progress of results that were written at `writtenAt`, unless it was published since. */
  async publishLateProgress(
    db: Db,
    place: ListPlace,
    moments: { readonly writtenAt: Date; readonly now: Date },
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const list = await this.#store.takeUnpublished(tx, place, moments);
      if (list) await publishEvent(tx, place.ownerId, this.#newsOf(list));
    });
  }

  #newsOf(list: Row): RealtimeEvent {
    const { events, metricsOf } = this.#kind;
    if (list.status === 'COMPLETE') return newsOfList(list.id, events.complete, { progress: 100 });
    // The counts of the same moment, so that a screen never shows one without the other.
    return newsOfList(list.id, events.progress, {
      progress: progressOf(this.countsOf(list)),
      ...metricsOf(list),
    });
  }

  #publish(db: Db, { ownerId, listId }: ListPlace, type: RealtimeEvent['event_type']): Promise<void> {
    return publishEvent(db, ownerId, newsOfList(listId, type));
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
    const waits = await findWaits(db, this.#kind.table, { ownerId, listIds, now });
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

  countsOf(list: Row): ListCounts {
    const { counters, total, chargedOutcomesOf } = this.#kind;
    const numberIn = (column: string) => (list as unknown as Readonly<Record<string, number>>)[column] ?? 0;
    const sum = (outcomes: readonly Outcome[]) =>
      outcomes.reduce((count, outcome) => count + numberIn(counters[outcome]), 0);
    return {
      total: numberIn(total),
      completed: sum(Object.keys(counters) as Outcome[]),
      dueCredits: sum(chargedOutcomesOf(list)),
    };
  }

  /** To start the work, give the scoped API key that orders it. */
  workOf(
    { ownerId, listId }: ListPlace,
    { is_sandbox: isSandbox = false }: Partial<ListHead>,
    apiKey?: PayingKey,
  ): PaidWork {
    return paidWork({ kind: this.#kind.work, ownerId, id: listId, isSandbox, apiKey });
  }
}

const hasEnded: readonly string[] = ['list_complete', 'list_paused', 'list_failed', 'list_not_found'];

const stepOf = (list: CountedList<ListHead>): ListStep => {
  if (list.status === 'COMPLETE') return 'complete';
  return list.is_progress_due ? 'published' : 'too soon';
};

const newsOfList = (
  listId: string,
  type: RealtimeEvent['event_type'],
  news: RealtimeEvent['event_metadata'] = {},
): RealtimeEvent => ({ event_type: type, event_metadata: { list_id: listId, ...news } });

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

function complete<Row extends ListHead>(list: Row): Row {
  if (list.status === 'FAILED') throw new AppError('list_failed', { listId: list.id });
  if (list.status !== 'COMPLETE') throw new AppError('list_not_complete', { listId: list.id });
  return list;
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'list_not_found')) throw error;
}

function notFound({ listId }: ListPlace): never {
  throw new AppError('list_not_found', { listId });
}
