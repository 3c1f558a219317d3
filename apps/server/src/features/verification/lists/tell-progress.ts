import type { EmailMetrics } from '@assay/contract';
import { sql } from 'kysely';
import type { Schedule } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/publish.ts';
import { type ListPlace, progressOf } from '../../lists/index.ts';

/** All workers together tell a list's progress at most ten times a second. */
export const progressEveryMs = 100;

export interface ListProgress extends EmailMetrics {
  readonly completed: number;
  readonly total_emails: number;
}

export const tellProgress = (tx: Tx, { ownerId, listId }: ListPlace, list: ListProgress): Promise<void> =>
  publishEvent(tx, ownerId, {
    event_type: 'list_verification_complete',
    event_metadata: {
      list_id: listId,
      progress: progressOf(list.completed, list.total_emails),
      // The counts of the same moment, so that a screen never shows one without the other.
      email_metrics: {
        valid_emails: list.valid_emails,
        invalid_emails: list.invalid_emails,
        catch_all_emails: list.catch_all_emails,
        unknown_emails: list.unknown_emails,
      },
    },
  });

/** Tells the progress of results that were written at `writtenAt`, unless somebody has told it since. */
export async function tellLateProgress(
  db: Db,
  place: ListPlace,
  { writtenAt, now }: { readonly writtenAt: Date; readonly now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<ListProgress>`
      update validation_lists set progress_told_at = ${now}
      where owner_id = ${place.ownerId} and id = ${place.listId} and status = 'PENDING'
        and progress_told_at < ${writtenAt}
      returning total_emails, valid_emails, invalid_emails, catch_all_emails, unknown_emails,
        valid_emails + invalid_emails + catch_all_emails + unknown_emails as completed`.execute(tx);
    if (rows[0]) await tellProgress(tx, place, rows[0]);
  });
}

/**
 * Results that are written too soon after progress was told are told with the next ones. Where none follow, because all
 * that is left waits for its hosts, they are told a little later.
 */
export class LateProgress {
  readonly #tell: (place: ListPlace, writtenAt: Date) => Promise<void>;
  readonly #schedule: Schedule;
  readonly #waiting = new Map<string, () => void>();

  constructor(tell: (place: ListPlace, writtenAt: Date) => Promise<void>, schedule: Schedule) {
    this.#tell = tell;
    this.#schedule = schedule;
  }

  /** To be called after each writing; what waited is told, or goes on waiting, with it. */
  written(place: ListPlace, isProgressTold: boolean, writtenAt: Date): void {
    this.#waiting.get(place.listId)?.();
    this.#waiting.delete(place.listId);
    if (isProgressTold) return;
    const callOff = this.#schedule(() => {
      this.#waiting.delete(place.listId);
      // Only a word: whatever kept it from being said, the next results say it.
      this.#tell(place, writtenAt).catch(() => undefined);
    }, progressEveryMs);
    this.#waiting.set(place.listId, callOff);
  }
}
