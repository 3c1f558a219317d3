import type { Schedule } from '../../platform/clock.ts';
import type { ListPlace } from './list-place.ts';

/** All workers together publish the progress of a list at most ten times a second. */
export const progressEveryMs = 100;

/** 0 to 100, and 100 only when every row has its outcome. */
export function progressOf({
  completed,
  total,
}: {
  readonly completed: number;
  readonly total: number;
}): number {
  if (total === 0 || completed >= total) return 100;
  return Math.floor((completed / total) * 1_000) / 10;
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
