import type { RealtimeEvent } from '@assay/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import type { AppError } from '../../platform/errors/index.ts';
import { publishEvent, publishEvents } from '../../platform/events/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type PaidWork, type PayingKey, paidWork, settleTogether } from '../billing/index.ts';
import { countsOf } from './list-counts.ts';
import { notFound, requireCompletion } from './list-errors.ts';
import type { ListHead, ListKind } from './list-kind.ts';
import { newsOfList, publishChange } from './list-news.ts';
import type { ListPlace } from './list-place.ts';
import { progressEveryMs, progressOf } from './list-progress.ts';
import { resultStatuses } from './list-status.ts';
import { type DeferredRow, noteWaits } from './list-waits.store.ts';
import type { CountedList, FurtherCounts, ListStore } from './lists.store.ts';

/** What counted outcomes have done to a list. */
type ListStep = 'complete' | 'published' | 'too soon';

interface WriteParts {
  readonly db: Db;
  readonly clock: Clock;
}

/** What jobs write to lists of one kind: copied rows, outcomes, deferred rows and the settlement. */
export class ListResults<Row extends ListHead, Outcome extends string> {
  readonly #kind: ListKind<Row, Outcome>;
  readonly #store: ListStore<Row, Outcome>;

  constructor(kind: ListKind<Row, Outcome>, store: ListStore<Row, Outcome>) {
    this.#kind = kind;
    this.#store = store;
  }

  /** Locks a list that the customer can see until the transaction ends. */
  async lock(tx: Tx, place: ListPlace): Promise<Row> {
    return (await this.#store.lock(tx, place)) ?? notFound(place);
  }

  /** Locks a complete list, so that it is not deleted until the transaction ends. */
  async lockComplete(tx: Tx, place: ListPlace): Promise<Row> {
    return requireCompletion((await this.#store.lock(tx, place)) ?? notFound(place));
  }

  /** Locks the lists of a customer that still hold credits. */
  lockHolding(tx: Tx, ownerId: AccountId): Promise<Row[]> {
    return this.#store.lockHolding(tx, ownerId);
  }

  /** Locks a list before an outcome is written. False when it takes no more, because it was deleted or is complete. */
  async lockForResults(tx: Tx, place: ListPlace): Promise<boolean> {
    const list = await this.#store.lock(tx, place);
    return list !== undefined && resultStatuses.includes(list.status);
  }

  /** Tells how many rows of a list are copied. False when this run of its preparation is over. */
  async noteCopied(
    { db, clock }: WriteParts,
    list: ListPlace & { readonly run: number },
    rows: number,
  ): Promise<boolean> {
    const counted = await this.#store.noteCopied(db, list, { rows, now: clock.now() });
    if (counted) await publishChange(db, list);
    return counted !== undefined;
  }

  /** Ends a list whose rows cannot be copied, and gives its credits back. `announce` runs last, in the same transaction. */
  fail(
    { db, clock }: WriteParts,
    { run, ...place }: ListPlace & { readonly run: number },
    problem: AppError,
    announce: (tx: Tx, list: Row, now: Date) => Promise<void>,
  ): Promise<void> {
    return runTransaction(db, async (tx) => {
      const list = await this.#store.lock(tx, place);
      if (list?.status !== 'PREPARING' || list.run_number !== run) return;
      const now = clock.now();
      const failed = (await this.#store.fail(tx, place, { problem, now })) ?? notFound(place);
      await publishChange(tx, place);
      await this.countStopped(tx, place, list);
      await this.workOf(place, list).release(tx, now);
      await announce(tx, failed, now);
    });
  }

  /** Publishes that the rows of a list are there. */
  publishPrepared(tx: Tx, place: ListPlace): Promise<void> {
    return publishChange(tx, place);
  }

  /** Notes deferred rows, and publishes the change. */
  async deferRows(tx: Tx, place: ListPlace, runNumber: number, rows: readonly DeferredRow[]): Promise<void> {
    await noteWaits(tx, place, runNumber, rows);
    await publishChange(tx, place);
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
      const works = paid.map((list) => ({ id: list.id, dueCredits: countsOf(this.#kind, list).dueCredits }));
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
      progress: progressOf(countsOf(this.#kind, list)),
      ...metricsOf(list),
    });
  }

  /** Lists that completed or failed after a moment, without those of the sandbox. Every list is returned once. */
  takeEnded(tx: Tx, since: Date, now: Date): Promise<ListPlace[]> {
    return this.#store.takeEnded(tx, since, now);
  }

  /** Settles a list that ends before its last outcome. */
  settleStopped(tx: Tx, place: ListPlace, list: Row, now: Date): Promise<void> {
    return this.workOf(place, list).stop(tx, countsOf(this.#kind, list).dueCredits, now);
  }

  /** Rows without an outcome are no longer pending. */
  async countStopped(tx: Tx, place: ListPlace, list: Row): Promise<void> {
    const { total, completed } = countsOf(this.#kind, list);
    await this.#kind.onStop?.(tx, place, list, total - completed);
  }

  /** To start the work, give the scoped API key that orders it. */
  workOf(
    { ownerId, listId }: ListPlace,
    { is_sandbox: isSandbox }: Pick<ListHead, 'is_sandbox'>,
    apiKey?: PayingKey,
  ): PaidWork {
    return paidWork({ kind: this.#kind.work, ownerId, id: listId, isSandbox, apiKey });
  }
}

const stepOf = (list: CountedList<ListHead>): ListStep => {
  if (list.status === 'COMPLETE') return 'complete';
  return list.is_progress_due ? 'published' : 'too soon';
};
