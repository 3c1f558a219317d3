import type { Verifier } from '@assay/verifier';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { handleJob, type JobHandler, type JobQueue } from '../../platform/queue/index.ts';
import { type RowWork, verifyRows } from './lists/verify-rows.ts';
import { findChunk } from './lists/work.store.ts';
import { verifySingle } from './singles/verify-single.ts';
import { sweepValidations } from './sweep.ts';
import {
  type ChunkPayload,
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
} from './validations.jobs.ts';

export interface ValidationsHandlerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly verifier: Verifier;
  readonly files: FileStore;
  /** Names the address that this worker's connections come from; workers behind one address share the name. */
  readonly egress: string;
}

// Lanes, not addresses: within each the engine has a few hundred addresses under way.
const lanes = { single: 16, shortList: 8, longList: 16, deferred: 4, sandbox: 4 } as const;

export function validationsHandlers(parts: ValidationsHandlerParts): JobHandler[] {
  const { egress } = parts;
  const verifyChunk = verifyingChunks(parts);

  return [
    handleJob(verifySingleJob, { concurrency: lanes.single }, (payload, { signal }) =>
      verifySingle(parts, payload, signal),
    ),
    handleJob(verifyDeferredSingleJob(egress), { concurrency: lanes.deferred }, (payload, { signal }) =>
      verifySingle(parts, payload, signal),
    ),
    handleJob(verifyShortListJob, { concurrency: lanes.shortList }, verifyChunk),
    handleJob(verifyLongListJob, { concurrency: lanes.longList }, verifyChunk),
    handleJob(verifyDeferredJob(egress), { concurrency: lanes.deferred }, (payload, { signal }) =>
      verifyRows(parts, payload, { rowNumbers: payload.rowNumbers, since: new Date(payload.since) }, signal),
    ),
    handleJob(sweepValidationsJob, { concurrency: 1 }, (_, { signal }) => sweepValidations(parts, signal)),
  ];
}

/** What the mail world of the sandbox answers: the same work, with its own engine and in lanes of its own. */
export function sandboxHandlers(parts: Omit<RowWork, 'egress'>): JobHandler[] {
  const work = { ...parts, egress: sandboxEgress };
  const single = (payload: SinglePayload, { signal }: { signal: AbortSignal }) =>
    verifySingle(work, payload, signal);
  return [
    handleJob(verifySandboxSingleJob, { concurrency: lanes.sandbox }, single),
    handleJob(verifyDeferredSingleJob(sandboxEgress), { concurrency: 1 }, single),
    handleJob(verifySandboxListJob, { concurrency: lanes.sandbox }, verifyingChunks(work)),
    handleJob(verifyDeferredJob(sandboxEgress), { concurrency: 1 }, (payload, { signal }) =>
      verifyRows(work, payload, { rowNumbers: payload.rowNumbers, since: new Date(payload.since) }, signal),
    ),
  ];
}

const verifyingChunks =
  (work: RowWork) =>
  async (chunk: ChunkPayload, { signal }: { signal: AbortSignal }): Promise<void> => {
    const rowNumbers = await findChunk(work.db, chunk);
    await verifyRows(work, chunk, { rowNumbers, since: null }, signal);
  };
