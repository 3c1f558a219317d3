import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import { findSubjectsWithoutJobs, type JobQueue } from '../../platform/queue/index.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import { moveJobsByStanding } from './first-place.ts';
import { notFound } from './list-errors.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import { publishChange } from './list-news.ts';
import type { ListPlace, OldWork } from './list-place.ts';
import type { ListResults } from './list-results.ts';
import { holdingStatuses } from './list-status.ts';
import { removeWaits } from './list-waits.store.ts';
import type { ListStore, StatusChange } from './lists.store.ts';

/** A paused list that its customer forgot is finished after this time, which gives its hold back. */
const pauseMaxMs = 30 * 24 * 3_600_000;

export interface ControlParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

/** Runs in the transaction of a change, and only if there is one. */
type RecordChange = (tx: Tx) => Promise<void>;

/** What customers, operators and standings do to lists of one kind: rename, pause, resume, finish, restart, delete. */
export class ListControl<Row extends ListHead, Outcome extends string> {
  readonly #kind: ListKind<Row, Outcome>;
  readonly #store: ListStore<Row, Outcome>;
  readonly #results: ListResults<Row, Outcome>;

  constructor(
    kind: ListKind<Row, Outcome>,
    store: ListStore<Row, Outcome>,
    results: ListResults<Row, Outcome>,
  ) {
    this.#kind = kind;
    this.#store = store;
    this.#results = results;
  }

  async rename(db: Db, place: ListPlace, name: string): Promise<Row> {
    const list = (await this.#store.rename(db, place, name)) ?? notFound(place);
    await publishChange(db, place);
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
      await publishChange(tx, place, 'list_deleted');
      if (holdingStatuses.includes(list.status)) {
        await this.#results.countStopped(tx, place, list);
        await this.#results.settleStopped(tx, place, list, clock.now());
      }
      await recordActivity(tx, actor, { kind: 'deletion.list', list, now: clock.now() });
    });
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
    const without = await findSubjectsWithoutJobs(parts.db, {
      field: 'listId',
      subjects: running.map(({ listId }) => listId),
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
      if (changed !== list) await publishChange(tx, place);
      return changed;
    });
  }

  async #changeStatus(tx: Tx, place: ListPlace, change: StatusChange): Promise<Row> {
    const changed = await this.#store.changeStatus(tx, place, change);
    // The list is locked and its other statuses were handled, so only a list that is being finished is left.
    if (!changed) throw new AppError('list_finishing', { listId: place.listId });
    return changed;
  }
}

const hasEnded: readonly string[] = ['list_complete', 'list_paused', 'list_failed', 'list_not_found'];

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'list_not_found')) throw error;
}
