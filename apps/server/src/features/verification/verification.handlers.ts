import type { Verifier } from '@assay/verifier';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { handleJob, type JobHandler, type JobQueue, type JobRun } from '../../platform/queue/index.ts';
import { createResultsWriter } from './lists/results-writer.ts';
import { type RowWork, verifyRows } from './lists/verify-rows.ts';
import { createChunkFinder, findRowsToVerify } from './lists/work.store.ts';
import { verifySingle } from './singles/verify-single.ts';
import { sweepValidations } from './sweep.ts';
import {
  type ChunkPayload,
  type DeferredPayload,
  type SinglePayload,
  sandboxEgress,
  sweepValidationsJob,
  verifyDeferredJob,
  verifyDeferredSingleJob,
  verifyLongListJob,
  verifySandboxListJob,
  verifySandboxSingleJob,
  verifyShortListJob,
  verifySingleJob,
} from './verification.jobs.ts';

export interface BulkHandlerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  /** Names the address that this worker's connections come from; workers behind one address share the name. */
  readonly egress: string;
}

export interface ValidationsHandlerParts extends BulkHandlerParts {
  readonly files: FileStore;
}

// Jobs, not addresses: a job of a list has a few hundred of those under way.
const atATime = { single: 16, shortList: 8, longList: 80, deferred: 4, sandbox: 4 } as const;

/** What people wait for: single checks and short lists. */
export function validationsHandlers(parts: ValidationsHandlerParts): JobHandler[] {
  return [
    handleJob(verifySingleJob, { concurrency: atATime.single }, (payload, { signal }) =>
      verifySingle(parts, payload, signal),
    ),
    handleJob(
      verifyDeferredSingleJob(parts.egress),
      { concurrency: atATime.deferred },
      (payload, { signal }) => verifySingle(parts, payload, signal),
    ),
    handleJob(verifyShortListJob, { concurrency: atATime.shortList }, verifyingChunks(withWriter(parts))),
    handleJob(sweepValidationsJob, { concurrency: 1 }, (_, { signal }) => sweepValidations(parts, signal)),
  ];
}

/** What keeps a processor busy: long lists, and the addresses of all lists that were put off. */
export function bulkHandlers(parts: BulkHandlerParts): JobHandler[] {
  const work = withWriter(parts);
  return [
    handleJob(verifyLongListJob, { concurrency: atATime.longList }, verifyingChunks(work)),
    handleJob(verifyDeferredJob(parts.egress), { concurrency: atATime.deferred }, verifyingDeferred(work)),
  ];
}

/** What the mail world of the sandbox answers: the same work, with its own engine and in lanes of its own. */
export function sandboxHandlers(parts: Omit<BulkHandlerParts, 'egress'>): JobHandler[] {
  const work = withWriter({ ...parts, egress: sandboxEgress });
  const single = (payload: SinglePayload, { signal }: JobRun) => verifySingle(work, payload, signal);
  return [
    handleJob(verifySandboxSingleJob, { concurrency: atATime.sandbox }, single),
    handleJob(verifyDeferredSingleJob(sandboxEgress), { concurrency: 1 }, single),
    handleJob(verifySandboxListJob, { concurrency: atATime.sandbox }, verifyingChunks(work)),
    handleJob(verifyDeferredJob(sandboxEgress), { concurrency: 1 }, verifyingDeferred(work)),
  ];
}

const withWriter = (parts: BulkHandlerParts): RowWork => ({
  ...parts,
  results: createResultsWriter(parts),
});

function verifyingChunks(work: RowWork) {
  const findChunk = createChunkFinder(work.db);
  return async (chunk: ChunkPayload, { signal, retryCount }: JobRun): Promise<void> => {
    const rows = await findChunk({ ...chunk, wasBegun: retryCount > 0 });
    await verifyRows(work, chunk, { rows, since: null }, signal);
  };
}

const verifyingDeferred =
  (work: RowWork) =>
  async (payload: DeferredPayload, { signal }: JobRun): Promise<void> => {
    const rows = await findRowsToVerify(work.db, payload, payload.rowNumbers);
    await verifyRows(work, payload, { rows, since: new Date(payload.since) }, signal);
  };
