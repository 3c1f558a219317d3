import { type Clock, type Schedule, systemSchedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { LateProgress, type ListPlace, publishLateProgress } from '../../lists/index.ts';
import { emailLists } from './email-lists.ts';
import { type RowFinding, writeResults } from './write-results.ts';

export interface WriterLimits {
  /** So many are worth a transaction; those that come while it is under way go with the next. */
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly waitMaxMs: number;
}

// A result waits at most this long for others to be written with it: progress moves at least every second.
export const defaultLimits: WriterLimits = { lengthMin: 1_000, lengthMax: 5_000, waitMaxMs: 200 };

/** What one piece of work has found, on its way into the database. */
export interface PieceResults {
  /** Written soon. Throws what an earlier batch of the list failed with: there is no use in going on. */
  add(findings: readonly RowFinding[]): void;
  /** Resolves when all that was added is written; rejects when it cannot be. */
  finish(): Promise<void>;
  /** The piece is over, well or not. */
  close(): void;
}

/**
 * Writes results as they come, those of all pieces of one list together and in one transaction at a time: the list's
 * counters are one row, so that more of them would only wait for each other.
 */
export class ResultsWriter {
  readonly #write: (place: ListPlace, findings: readonly RowFinding[]) => Promise<unknown>;
  readonly #limits: WriterLimits;
  readonly #schedule: Schedule;
  readonly #lists = new Map<string, ListResults>();

  constructor(
    write: (place: ListPlace, findings: readonly RowFinding[]) => Promise<unknown>,
    limits: WriterLimits = defaultLimits,
    schedule: Schedule = systemSchedule,
  ) {
    this.#write = write;
    this.#limits = limits;
    this.#schedule = schedule;
  }

  open(place: ListPlace): PieceResults {
    let list = this.#lists.get(place.listId);
    if (!list) {
      const opened = new ListResults(
        (findings) => this.#write(place, findings),
        this.#limits,
        this.#schedule,
        // After a failure the next piece of the list begins anew, with nothing of the failed ones.
        () => {
          if (this.#lists.get(place.listId) === opened) this.#lists.delete(place.listId);
        },
      );
      this.#lists.set(place.listId, opened);
      list = opened;
    }
    return list.open();
  }
}

export const createResultsWriter = (parts: {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly clock: Clock;
}): ResultsWriter => {
  const { db, clock } = parts;
  const late = new LateProgress(
    (place, writtenAt) => publishLateProgress(db, emailLists, place, { writtenAt, now: clock.now() }),
    systemSchedule,
  );
  return new ResultsWriter(async (place, findings) => {
    const now = clock.now();
    const { isProgressPublished } = await writeResults(parts, place, findings, now);
    late.written(place, isProgressPublished, now);
  });
};

interface Finishing {
  /** Resolved once so many findings of the list are written. */
  readonly writtenCount: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class ListResults {
  readonly #write: (findings: readonly RowFinding[]) => Promise<unknown>;
  readonly #limits: WriterLimits;
  readonly #schedule: Schedule;
  readonly #forget: () => void;
  #pieceCount = 0;
  #pending: RowFinding[] = [];
  #addedCount = 0;
  #writtenCount = 0;
  #finishing: Finishing[] = [];
  #isWriting = false;
  #callOff: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    write: (findings: readonly RowFinding[]) => Promise<unknown>,
    limits: WriterLimits,
    schedule: Schedule,
    forget: () => void,
  ) {
    this.#write = write;
    this.#limits = limits;
    this.#schedule = schedule;
    this.#forget = forget;
  }

  open(): PieceResults {
    this.#pieceCount += 1;
    return {
      add: (findings) => {
        if (this.#failure) throw this.#failure.error;
        this.#pending.push(...findings);
        this.#addedCount += findings.length;
        this.#writeWhenDue();
      },
      finish: () =>
        new Promise((resolve, reject) => {
          this.#finishing.push({ writtenCount: this.#addedCount, resolve, reject });
          this.#tellFinished();
          this.#writeWhenDue();
        }),
      close: () => {
        this.#pieceCount -= 1;
        if (this.#pieceCount === 0 && this.#pending.length === 0 && !this.#isWriting) this.#forget();
        else this.#writeWhenDue();
      },
    };
  }

  #writeWhenDue(): void {
    if (this.#isWriting || this.#pending.length === 0 || this.#failure) return;
    // When every piece waits for its last results, nothing else will come to be written with them.
    const isLast = this.#finishing.length >= this.#pieceCount;
    if (isLast || this.#pending.length >= this.#limits.lengthMin) void this.#writeBatch();
    else this.#callOff ??= this.#schedule(() => void this.#writeBatch(), this.#limits.waitMaxMs);
  }

  async #writeBatch(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    const batch = this.#pending.slice(0, this.#limits.lengthMax);
    this.#pending = this.#pending.slice(this.#limits.lengthMax);
    this.#isWriting = true;
    try {
      await this.#write(batch);
      this.#writtenCount += batch.length;
    } catch (error) {
      this.#failure = { error };
      this.#pending = [];
      this.#forget();
    }
    this.#isWriting = false;
    this.#tellFinished();
    this.#writeWhenDue();
    if (this.#pieceCount === 0 && this.#pending.length === 0) this.#forget();
  }

  #tellFinished(): void {
    const { error } = this.#failure ?? {};
    const left: Finishing[] = [];
    for (const finishing of this.#finishing) {
      if (finishing.writtenCount <= this.#writtenCount) finishing.resolve();
      else if (this.#failure) finishing.reject(error);
      else left.push(finishing);
    }
    this.#finishing = left;
  }
}
