import type { Verifier } from '@assay/verifier';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { handleJob, type JobHandler, type JobQueue } from '../../platform/queue/index.ts';
import { verifyRows } from './lists/verify-rows.ts';
import { findChunk } from './lists/work.store.ts';
import { verifySingle } from './singles/verify-single.ts';
import { sweepValidations } from './sweep.ts';
import {
  type ChunkPayload,
  sweepValidationsJob,
  verifyDeferredJob,
  verifyDeferredSingleJob,
  verifyLongListJob,
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
const lanes = { single: 16, shortList: 8, longList: 16, deferred: 4 } as const;

export function validationsHandlers(parts: ValidationsHandlerParts): JobHandler[] {
  const { db, egress } = parts;
  const verifyChunk = async (chunk: ChunkPayload, { signal }: { signal: AbortSignal }) => {
    const rowNumbers = await findChunk(db, chunk);
    await verifyRows(parts, chunk, { rowNumbers, since: null }, signal);
  };

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
