import type { Verifier } from '@assay/verifier';
import type { Clock, Schedule } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { handleJob, type JobHandler, type JobQueue, type JobRun } from '../../platform/queue/index.ts';
import { deferralCountOf } from '../engine/index.ts';
import { emailLists } from './lists/email-lists.ts';
import { finishList } from './lists/finish-list.ts';
import { type PrepareParts, prepareList } from './lists/prepare-list.ts';
import { createResultsWriter, createShortListsWriter } from './lists/results-writer.ts';
import { resumeList } from './lists/resume-list.ts';
import { type RowWork, verifyRows } from './lists/verify-rows.ts';
import { createChunkFinder, findRowsToVerify, type ListRun } from './rows/work.store.ts';
import { createSingleVerifier } from './singles/verify-single.ts';
import { sweepValidations } from './sweep.ts';
import {
  type ChunkPayload,
  type DeferredPayload,
  finishListJob,
  prepareListJob,
  resumeListJob,
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
  /** The name of the worker's egress address; workers that share the address share the name. */
  readonly egress: string;
  readonly schedule?: Schedule;
}

export type ValidationsHandlerParts = BulkHandlerParts & PrepareParts;

// These are jobs. Most of them only wait for mail hosts, which costs memory: about 10 kB for a single, and less than 1 MB for a
// job of a list, which has a few hundred addresses. A customer alone gets three quarters of the places.
const atATime = {
  single: 2_000,
  shortList: 120,
  longList: 108,
  deferredSingle: 500,
  deferred: 32,
  sandbox: 16,
  finish: 4,
  resume: 4,
  // Each keeps a thread, a connection and PostgreSQL busy for seconds.
  prepare: 2,
} as const;

/** Single checks and short lists, for which people wait. */
export function validationsHandlers(parts: ValidationsHandlerParts): JobHandler[] {
  const single = verifyingSingles(parts);
  return [
    handleJob(verifySingleJob, { concurrency: atATime.single }, single),
    handleJob(verifyDeferredSingleJob(parts.egress), { concurrency: atATime.deferredSingle }, single),
    handleJob(
      verifyShortListJob,
      { concurrency: atATime.shortList },
      verifyingChunks({ ...parts, results: createShortListsWriter(parts) }),
    ),
    handleJob(finishListJob, { concurrency: atATime.finish }, (place, { signal }) =>
      finishList(parts, place, signal),
    ),
    handleJob(prepareListJob, { concurrency: atATime.prepare }, (payload, run) =>
      prepareList(parts, payload, run),
    ),
    handleJob(resumeListJob, { concurrency: atATime.resume }, (payload) => resumeList(parts, payload)),
    handleJob(sweepValidationsJob, { concurrency: 1 }, async (_, { signal }) => {
      await emailLists.control.finishForgotten(parts, signal);
      await sweepValidations(parts, signal);
    }),
  ];
}

/** The jobs of `bulkHandlers`. */
export const bulkJobs = (egress: string) => [verifyLongListJob, verifyDeferredJob(egress)] as const;

/** Long lists, and deferred addresses of all lists, which keep a processor busy. */
export function bulkHandlers(parts: BulkHandlerParts): JobHandler[] {
  const work = withWriter(parts);
  const [verifyLongList, verifyDeferred] = bulkJobs(parts.egress);
  return [
    handleJob(verifyLongList, { concurrency: atATime.longList }, verifyingChunks(work)),
    handleJob(verifyDeferred, { concurrency: atATime.deferred }, verifyingDeferred(work)),
  ];
}

/** The work of the sandbox, with an engine and job queues of its own. */
export function sandboxHandlers(parts: Omit<BulkHandlerParts, 'egress'>): JobHandler[] {
  const work = withWriter({ ...parts, egress: sandboxEgress });
  const single = verifyingSingles(work);
  return [
    handleJob(verifySandboxSingleJob, { concurrency: atATime.sandbox }, single),
    handleJob(verifyDeferredSingleJob(sandboxEgress), { concurrency: atATime.sandbox }, single),
    handleJob(verifySandboxListJob, { concurrency: atATime.sandbox }, verifyingChunks(work)),
    handleJob(verifyDeferredJob(sandboxEgress), { concurrency: atATime.sandbox }, verifyingDeferred(work)),
  ];
}

const withWriter = (parts: BulkHandlerParts): RowWork => ({
  ...parts,
  results: createResultsWriter(parts),
});

/** Jobs of older versions belong to the first run. */
const runOf = ({ ownerId, listId, run = 0 }: ChunkPayload | DeferredPayload): ListRun => ({
  ownerId,
  listId,
  run,
});

function verifyingSingles(work: BulkHandlerParts) {
  const verifySingle = createSingleVerifier(work);
  return (payload: SinglePayload, { signal }: JobRun) => verifySingle(payload, signal);
}

function verifyingChunks(work: RowWork) {
  const findChunk = createChunkFinder(work.db);
  return async (chunk: ChunkPayload, { signal, retryCount }: JobRun): Promise<void> => {
    const run = runOf(chunk);
    // A resumed list has results in any of its chunks.
    const wasBegun = retryCount > 0 || run.run > 0;
    const rows = await findChunk({ ...run, chunkNumber: chunk.chunkNumber, wasBegun });
    await verifyRows(work, run, { rows, since: null, deferralCount: 0 }, signal);
  };
}

const verifyingDeferred =
  (work: RowWork) =>
  async (payload: DeferredPayload, { signal }: JobRun): Promise<void> => {
    const run = runOf(payload);
    const rows = await findRowsToVerify(work.db, run, payload.rowNumbers);
    const deferralCount = deferralCountOf(payload);
    await verifyRows(work, run, { rows, since: new Date(payload.since), deferralCount }, signal);
  };
