import type { Schedule } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/index.ts';
import { countsOf, type ListHead, type ListKind, workOf } from './list-kind.ts';
import type { ListPlace } from './list-place.ts';
import { addToCounters, completeListRow, takeUnpublishedProgress } from './lists.store.ts';

/** All workers together publish the progress of a list at most ten times a second. */
export const progressEveryMs = 100;

/** 0 to 100, and 100 only when every row has its outcome. */
export function progressOf<Row extends ListHead>(kind: ListKind<Row>, list: Row): number {
  const { completed, total } = countsOf(kind, list);
  if (total === 0 || completed >= total) return 100;
  return Math.floor((completed / total) * 1_000) / 10;
}

export type CountedList<Row> = Row & { readonly is_progress_due: boolean };

/** Counts outcomes of a list. Nothing when the list takes no more results, because it was deleted or is complete. */
export const countOutcomes = <Row extends ListHead, Outcome extends string>(
  tx: Tx,
  kind: ListKind<Row, Outcome>,
  place: ListPlace,
  counts: Readonly<Record<Outcome, number>>,
  now: Date,
): Promise<CountedList<Row> | undefined> =>
  addToCounters(tx, kind, place, counts, { now, dueSince: new Date(now.getTime() - progressEveryMs) });

/**
 * Publishes the progress of a list, when it is due. The last outcome completes the list: it takes what is due and gives the
 * rest of the hold back.
 */
export async function publishProgressOrComplete<Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  place: ListPlace,
  list: CountedList<Row>,
  now: Date,
): Promise<'complete' | 'published' | 'too soon'> {
  const { completed, total, dueCredits } = countsOf(kind, list);
  if (completed < total) {
    if (!list.is_progress_due) return 'too soon';
    await publishProgress(tx, kind, place, list);
    return 'published';
  }
  await completeListRow(tx, kind, place, now);
  await publishEvent(tx, place.ownerId, {
    event_type: kind.events.complete,
    event_metadata: { list_id: place.listId, progress: 100 },
  });
  await workOf(kind, place, list).settle(tx, dueCredits, now);
  return 'complete';
}

const publishProgress = <Row extends ListHead>(
  tx: Tx,
  kind: ListKind<Row>,
  { ownerId, listId }: ListPlace,
  list: Row,
): Promise<void> =>
  publishEvent(tx, ownerId, {
    event_type: kind.events.progress,
    // The counts of the same moment, so that a screen never shows one without the other.
    event_metadata: { list_id: listId, progress: progressOf(kind, list), ...kind.metricsOf(list) },
  });

/** Publishes the progress of results that were written at `writtenAt`, unless it was published since. */
export async function publishLateProgress<Row extends ListHead>(
  db: Db,
  kind: ListKind<Row>,
  place: ListPlace,
  moments: { readonly writtenAt: Date; readonly now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const list = await takeUnpublishedProgress(tx, kind, place, moments);
    if (list) await publishProgress(tx, kind, place, list);
  });
}

/**
 * Sends a trailing update after throttled progress. Usually the next results bring it; where none follow, because all
 * rows that are left wait for their hosts, it comes a little later.
 */
export class LateProgress {
  readonly #publish: (place: ListPlace, writtenAt: Date) => Promise<void>;
  readonly #schedule: Schedule;
  readonly #waiting = new Map<string, () => void>();

  constructor(publish: (place: ListPlace, writtenAt: Date) => Promise<void>, schedule: Schedule) {
    this.#publish = publish;
    this.#schedule = schedule;
  }

  /** Call this after each write: it replaces an update that waits. */
  written(place: ListPlace, isPublished: boolean, writtenAt: Date): void {
    this.#waiting.get(place.listId)?.();
    this.#waiting.delete(place.listId);
    if (isPublished) return;
    const cancel = this.#schedule(() => {
      this.#waiting.delete(place.listId);
      // A lost update does no harm: the next results publish the same progress.
      this.#publish(place, writtenAt).catch(() => undefined);
    }, progressEveryMs);
    this.#waiting.set(place.listId, cancel);
  }
}
