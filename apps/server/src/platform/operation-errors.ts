import { sql } from 'kysely';
import type { Db } from './database/database.ts';
import { type DescribedError, describeError } from './logging/describe-error.ts';
import { shorten, TEXT_LENGTH_MAX } from './text-limits.ts';

/** What failed, for operators. The log has the same and more. */
export interface Failure {
  readonly error: unknown;
  readonly traceId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly customerId?: string | undefined;
}

export interface KeptError {
  readonly recordedAt: Date;
  /** The call or the queue. */
  readonly source: string;
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly traceId: string | null;
  readonly jobId: string | null;
  readonly customerId: string | null;
}

/** A database that is away fails every call: a few errors tell as much as thousands. */
const perMinuteMax = { source: 5, process: 30 } as const;
const keptDays = 7;
const keptMax = 50_000;

/** Describes errors without personal data, and drops those beyond a few per minute. */
export function createErrorSieve(): (source: string, failure: Failure, now: Date) => KeptError | undefined {
  let minute = 0;
  let total = 0;
  let bySource = new Map<string, number>();
  return (source, { error, traceId, jobId, customerId }, now) => {
    const current = Math.floor(now.getTime() / 60_000);
    if (current !== minute) {
      minute = current;
      total = 0;
      bySource = new Map();
    }
    const count = bySource.get(source) ?? 0;
    if (count >= perMinuteMax.source || total >= perMinuteMax.process) return undefined;
    bySource.set(source, count + 1);
    total += 1;
    const described = describeError(error);
    return {
      recordedAt: now,
      source,
      type: shorten(described.code ?? described.type, TEXT_LENGTH_MAX.fieldName),
      message: described.message,
      stack: shorten(stackOf(described), TEXT_LENGTH_MAX.stack),
      traceId: traceId ?? null,
      jobId: jobId ?? null,
      customerId: customerId ?? null,
    };
  };
}

/** The frames, and those of the causes below them. */
const stackOf = ({ stack = '', cause }: DescribedError): string =>
  cause ? `${stack}\nCaused by ${cause.type}: ${cause.message}\n${stackOf(cause)}` : stack;

export async function insertErrors(db: Db, errors: readonly KeptError[]): Promise<void> {
  if (errors.length === 0) return;
  await sql`
    insert into operation_errors (recorded_at, source, type, message, stack, trace_id, job_id, customer_id)
    select "recordedAt", source, type, message, stack, "traceId", "jobId", "customerId"
    from jsonb_to_recordset(${JSON.stringify(errors)}::jsonb) as row ("recordedAt" timestamptz, source text, type text,
      message text, stack text, "traceId" text, "jobId" uuid, "customerId" uuid)`.execute(db);
}

/** Which errors are wanted: of a source, of a trace, or of a job. */
export interface ErrorFilter {
  readonly source?: string | undefined;
  readonly traceId?: string | undefined;
  readonly jobId?: string | undefined;
}

/** The newest first; `before` is the id of the last one on the page before. */
export async function findErrors(
  db: Db,
  { source, traceId, jobId }: ErrorFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<(KeptError & { readonly id: number })[]> {
  const { rows } = await sql<KeptError & { id: number }>`
    select id, recorded_at as "recordedAt", source, type, message, stack, trace_id as "traceId", job_id as "jobId",
      customer_id as "customerId"
    from operation_errors
    where ${source === undefined ? sql`true` : sql`source = ${source}`}
      and ${traceId === undefined ? sql`true` : sql`trace_id = ${traceId}`}
      and ${jobId === undefined ? sql`true` : sql`job_id = ${jobId}`}
      and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Removes errors that are old or too many. */
export async function sweepErrors(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - keptDays * 86_400_000);
  await sql`
    delete from operation_errors
    where recorded_at < ${since} or id <= (select max(id) from operation_errors) - ${keptMax}`.execute(db);
}
