import { Batch, type BatchOptions } from '../../../platform/batch.ts';
import { batchByKey } from '../../../platform/batch-by-key.ts';
import { type Clock, type Schedule, systemSchedule } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { onBehalfOf } from '../../../platform/database/fair-pool.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { LateProgress, type ListPlace } from '../../lists/index.ts';
import type { ListFindings, RowFinding } from '../rows/results.store.ts';
import type { ListRun } from '../rows/work.store.ts';
import { emailLists } from './email-lists.ts';
import { type RunSeen, type Written, writeResults, writeResultsOf } from './write-results.ts';

export interface WriterLimits {
  /** This many results are worth a transaction. */
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly waitMaxMs: number;
}

// A result waits at most 200 ms for others, so that progress moves at least every second.
export const defaultLimits: WriterLimits = { lengthMin: 1_000, lengthMax: 5_000, waitMaxMs: 200 };

/** The results of one piece of work, on their way into the database. */
export interface PieceResults {
  /** Throws the error of an earlier batch of the list: the piece may as well stop. */
  add(findings: readonly RowFinding[]): void;
  /** Resolves when every result of the piece is written. The piece adds no more. */
  finish(): Promise<void>;
  /** False once a write has found that the piece's run is over: the list was paused, or is being finished. */
  isWanted(): boolean;
  /** Call this at the end, also after an error. */
  close(): void;
}

type Write = (place: ListPlace, findings: readonly RowFinding[]) => Promise<RunSeen>;

/**
 * Writes results as they come. The pieces of one list share its batches and write one transaction at a time: the
 * counters of a list are one row, on which parallel transactions would only wait for each other.
 */
export class ResultsWriter {
  readonly #write: Write;
  readonly #limits: WriterLimits;
  readonly #schedule: Schedule;
  readonly #lists = new Map<string, ListResults>();

  constructor(write: Write, limits: WriterLimits = defaultLimits, schedule: Schedule = systemSchedule) {
    this.#write = write;
    this.#limits = limits;
    this.#schedule = schedule;
  }

  open({ run, ...place }: ListRun): PieceResults {
    const list = this.#lists.get(place.listId) ?? this.#openList(place);
    return list.open(run);
  }

  #openList(place: ListPlace): ListResults {
    const list = new ListResults({
      ...this.#limits,
      schedule: this.#schedule,
      call: (findings) => this.#write(place, findings),
      onEnd: () => {
        if (this.#lists.get(place.listId) === list) this.#lists.delete(place.listId);
      },
    });
    this.#lists.set(place.listId, list);
    return list;
  }
}

interface WriterParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly clock: Clock;
}

export const createResultsWriter = (parts: WriterParts): ResultsWriter =>
  writerBy(parts, ({ place, findings }) => writeResults(parts, place, findings, parts.clock.now()));

/** Further lists go with the next transaction, so that the rows they share are locked for a short time. */
const writtenTogetherMax = 20;

/**
 * For short lists: those of one customer that get results at the same time share a transaction. Otherwise a thousand lists that end
 * together would wait for each other at the customer's wallet.
 */
export function createShortListsWriter(parts: WriterParts): ResultsWriter {
  const write = batchByKey<ListFindings, Written>({
    lengthMax: writtenTogetherMax,
    handle: (lists) =>
      onBehalfOf((lists[0] as ListFindings).place.ownerId, () =>
        writeResultsOf(parts, lists, parts.clock.now()),
      ),
  });
  return writerBy(parts, (list) => write(list.place.ownerId, list));
}

function writerBy(
  { db, clock }: WriterParts,
  write: (list: ListFindings) => Promise<Written>,
): ResultsWriter {
  const late = new LateProgress(
    (place, writtenAt) => emailLists.results.publishLateProgress(db, place, { writtenAt, now: clock.now() }),
    systemSchedule,
  );
  return new ResultsWriter(async (place, findings) => {
    const { at, isProgressPublished, run } = await write({ place, findings });
    late.written(place, isProgressPublished, at);
    return run;
  });
}

interface ListResultsOptions extends BatchOptions<RowFinding, RunSeen> {
  /** Called when the last piece closes, and after a failure: a later piece starts anew. */
  readonly onEnd: () => void;
}

class ListResults {
  readonly #batch: Batch<RowFinding, RunSeen>;
  readonly #onEnd: () => void;
  #openCount = 0;
  #finishingCount = 0;
  #failure: { readonly error: unknown } | undefined;
  #seen: RunSeen | undefined;

  constructor({ call, onEnd, ...options }: ListResultsOptions) {
    this.#onEnd = onEnd;
    this.#batch = new Batch({
      ...options,
      stopsOnFailure: true,
      call: async (findings) => {
        try {
          this.#seen = await call(findings);
          return this.#seen;
        } catch (error) {
          this.#failure = { error };
          onEnd();
          throw error;
        }
      },
    });
  }

  open(run: number): PieceResults {
    this.#openCount += 1;
    let isFinishing = false;
    let written: Promise<unknown> = Promise.resolve();
    return {
      add: (findings) => {
        if (this.#failure) throw this.#failure.error;
        for (const finding of findings) written = this.#batch.add(finding);
      },
      finish: async () => {
        isFinishing = true;
        this.#finishingCount += 1;
        this.#flushLast();
        await written;
      },
      isWanted: () => this.#seen === undefined || isGoingOn(this.#seen, run),
      close: () => {
        this.#openCount -= 1;
        if (isFinishing) this.#finishingCount -= 1;
        this.#flushLast();
        if (this.#openCount === 0) this.#onEnd();
      },
    };
  }

  /** When every piece waits for its last results, nothing else can join them in a batch. */
  #flushLast(): void {
    if (this.#finishingCount >= this.#openCount) this.#batch.flush();
  }
}

/** A write from before a list was resumed says nothing about the new run. */
const isGoingOn = (seen: RunSeen, run: number): boolean =>
  run > seen.number || (run === seen.number && seen.isWorkedOn);
