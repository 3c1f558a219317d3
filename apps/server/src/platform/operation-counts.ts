import { sql } from 'kysely';
import { type Clock, type Schedule, systemClock, systemSchedule } from './clock.ts';
import type { Db } from './database/database.ts';
import type { Logger } from './logging/index.ts';
import { createErrorSieve, type Failure, insertErrors, type KeptError } from './operation-errors.ts';

/** What is counted, and per which span. Parts come from our own code or are bounded, so rows stay few. */
const spans = {
  /** Answers of the API; the part is empty. */
  requests: 'minute',
  /** Answers with a 5xx, by call. */
  errors: 'minute',
  /** Failed runs of jobs, by queue. */
  failed_jobs: 'minute',
  /** Verdicts of the engine, by verdict. */
  checks: 'minute',
  /** The same by provider; the detail is the verdict. */
  provider_checks: 'hour',
  /** How mail providers answer, by provider; the detail is the kind of answer and the egress. */
  weather: 'ten_minutes',
} as const;
type CountName = keyof typeof spans;

const spanMs = { minute: 60_000, ten_minutes: 600_000, hour: 3_600_000 } as const;
const keptMs = { minute: 2 * 86_400_000, ten_minutes: 31 * 86_400_000, hour: 8 * 86_400_000 } as const;
const flushEveryMs = 5_000;
/** Strangers choose the names of their mail hosts: more parts than this in one span are added up as `other`. */
const partsMax = 100;
const partLengthMax = 120;

export interface OperationCounts {
  add(name: CountName, part?: string, detail?: string): void;
  /** Counts a failure, and keeps it for operators. */
  fail(name: 'errors' | 'failed_jobs', part: string, failure: Failure): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

interface CountsParts {
  readonly db: Db;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly schedule?: Schedule;
}

interface Counted {
  readonly name: CountName;
  readonly bucket: Date;
  readonly part: string;
  readonly detail: string;
  count: number;
}

/** Counts in memory and writes a few rows every some seconds. A killed process loses the counts of those seconds. */
export function countOperations(parts: CountsParts): OperationCounts {
  const { db, logger, clock = systemClock, schedule = systemSchedule } = parts;
  let counted = new Map<string, Counted>();
  let errors: KeptError[] = [];
  const sieve = createErrorSieve();
  const seen = new Map<CountName, { readonly start: number; readonly parts: Set<string> }>();
  let writing: Promise<void> = Promise.resolve();
  let callOff: (() => void) | undefined;

  function flush(): Promise<void> {
    const rows = [...counted.values()];
    const failed = errors;
    counted = new Map();
    errors = [];
    callOff = undefined;
    writing = writing
      .then(() => addCounts(db, rows))
      .then(() => insertErrors(db, failed))
      .catch((error) => logger.warn({ err: error }, 'could not write what was counted for the console'));
    return writing;
  }

  function keep(name: CountName, start: number, part: string): string {
    const of = seen.get(name);
    const parts = of?.start === start ? of.parts : new Set<string>();
    if (of?.start !== start) seen.set(name, { start, parts });
    if (parts.size < partsMax) parts.add(part);
    return parts.has(part) ? part : 'other';
  }

  const counts: OperationCounts = {
    add(name, part = '', detail = '') {
      const span = spanMs[spans[name]];
      const now = clock.now().getTime();
      const start = now - (now % span);
      const kept = keep(name, start, part.slice(0, partLengthMax));
      const key = `${name} ${start} ${detail} ${kept}`;
      const known = counted.get(key);
      if (known) known.count += 1;
      else counted.set(key, { name, bucket: new Date(start), part: kept, detail, count: 1 });
      callOff ??= schedule(() => void flush(), flushEveryMs);
    },
    fail(name, part, failure) {
      counts.add(name, part);
      const kept = sieve(part.slice(0, partLengthMax), failure, clock.now());
      if (kept) errors.push(kept);
    },
    close: () => {
      callOff?.();
      return flush();
    },
  };
  return counts;
}

async function addCounts(db: Db, rows: readonly Counted[]): Promise<void> {
  if (rows.length === 0) return;
  // Sorted, so that two processes cannot deadlock.
  await sql`
    insert into operation_counts as known (name, bucket, part, detail, count)
    select name, bucket, part, detail, count
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (name text, bucket timestamptz, part text, detail text, count bigint)
    order by name, bucket, part, detail
    on conflict (name, bucket, part, detail) do update set count = known.count + excluded.count`.execute(db);
}

/** Removes counts that no page shows any more. */
export async function sweepCounts(db: Db, now: Date): Promise<void> {
  const namesOf = (span: keyof typeof spanMs) =>
    (Object.keys(spans) as CountName[]).filter((name) => spans[name] === span);
  for (const span of Object.keys(spanMs) as (keyof typeof spanMs)[]) {
    const before = new Date(now.getTime() - keptMs[span]);
    await sql`
      delete from operation_counts where bucket < ${before} and name = any(${namesOf(span)}::text[])`.execute(
      db,
    );
  }
}
