import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Clock, SteadyClock } from '../../../platform/clock.ts';
import { runOnClient } from '../../../platform/database/client-transaction.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { isDatabaseAway } from '../../../platform/database/database-away.ts';
import { onBehalfOf } from '../../../platform/database/fair-pool.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { JobQueue, JobRun } from '../../../platform/queue/index.ts';
import { keepAccount } from '../../accounts/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { type EmailUploadParts, findUploadOf } from '../files/email-uploads.ts';
import { countAsked } from '../metrics.store.ts';
import { createPartitions } from '../rows/large-lists.store.ts';
import type { PreparePayload } from '../verification.jobs.ts';
import { type RowLines, withRowLines } from './copy-rows.ts';
import { countFile } from './count-file.ts';
import { emailLists, listAnswer } from './email-lists.ts';
import { fillFromFile, fillFromUnknowns } from './fill-list.ts';
import { type Fill, PreparationOver, type PreparationRun } from './start-list.ts';
import { findSuppressedUnknowns } from './suppressed-unknowns.ts';

export interface PrepareParts extends EmailUploadParts {
  readonly pool: Pool;
  readonly clock: Clock & SteadyClock;
  readonly queue: JobQueue;
}

/** About an hour, for a file store that is away. */
const triesMax = 20;
const publishEveryMs = 1_000;

/**
 * Copies the rows of a long list and publishes it, in one transaction: a worker that dies leaves nothing, and the next one
 * begins again. A list whose rows cannot be copied fails and gets its credits back.
 */
export async function prepareList(
  parts: PrepareParts,
  { ownerId, listId, run }: PreparePayload,
  { signal, retryCount }: Pick<JobRun, 'signal' | 'retryCount'>,
): Promise<void> {
  const list = await emailLists.answers.find(parts.db, { ownerId, listId });
  if (list?.status !== 'PREPARING' || list.run_number !== run) return;
  const preparation = { ownerId, listId, run, totalEmails: list.total_emails };
  try {
    if (list.source_list_id === null) await countAndCopyFile(parts, preparation, signal);
    else await copyUnknowns(parts, preparation, list.source_list_id);
  } catch (error) {
    if (error instanceof PreparationOver) return;
    signal.throwIfAborted();
    const problem = isLasting(error) ? error : new AppError('list_not_prepared');
    if (problem !== error && retryCount < triesMax) throw error;
    await emailLists.results.fail(parts, preparation, problem, (tx, failed, now) =>
      queueEvent(tx, parts.queue, {
        ownerId,
        type: 'list.failed',
        workCreatedAt: failed.created_at,
        readData: async () => listAnswer(failed),
        now,
      }),
    );
  }
}

async function countAndCopyFile(
  parts: PrepareParts,
  run: PreparationRun,
  signal: AbortSignal,
): Promise<void> {
  const isCounted = run.totalEmails > 0;
  await copyFile(parts, isCounted ? run : await countFile(parts, run, signal), signal);
}

async function copyFile(parts: PrepareParts, run: PreparationRun, signal: AbortSignal): Promise<void> {
  const upload = await findUploadOf(parts.db, run);
  const { with_headers: withHeaders } = await emailLists.store.findLayout(parts.db, run);
  const place = { ownerId: run.ownerId, listId: run.listId };
  await withRowLines(parts, { place, upload, withHeaders: withHeaders ?? true, signal }, (lines) =>
    runOnClient(parts.pool, (tx, client) => {
      const counted = countRows(parts, run, lines);
      return fillLocked(tx, run, fillFromFile({ tx, client, queue: parts.queue }, counted));
    }),
  );
}

async function copyUnknowns(
  { db, queue, clock }: PrepareParts,
  run: PreparationRun,
  sourceId: string,
): Promise<void> {
  const source = { ownerId: run.ownerId, listId: sourceId };
  await db.transaction().execute(async (tx) => {
    await lockPreparation(tx, run);
    if (run.totalEmails > 0) {
      await fillFromUnknowns({ tx, queue }, source)(run);
    } else {
      await keepAccount(tx, run.ownerId);
      const suppressed = await findSuppressedUnknowns(tx, source, clock.now());
      const list = await emailLists.results.lock(tx, run);
      const totalEmails =
        (await emailLists.results.lockComplete(tx, source)).unknown_emails - suppressed.length;
      if (totalEmails === 0) throw new AppError('file_all_suppressed');
      await createPartitions(tx, run.listId);
      await emailLists.store.setCounts(tx, run, { total_emails: totalEmails });
      await countAsked(tx, { ownerId: run.ownerId, askedAt: list.created_at }, totalEmails);
      await fillFromUnknowns({ tx, queue }, source, suppressed)({ ...run, totalEmails });
      await emailLists.results.workOf(run, list).grow(tx, totalEmails);
    }
    await emailLists.results.publishPrepared(tx, run);
  });
}

async function fillLocked(tx: Tx, run: PreparationRun, fill: Fill): Promise<void> {
  await lockPreparation(tx, run);
  await fill(run);
  await emailLists.results.publishPrepared(tx, run);
}

/** The first half of the advisory lock of a list that is being prepared. */
const preparationLock = 722123;

/**
 * Keeps other runs out until the transaction ends. The job is ours, so one that is still at work lost it, because its process
 * hangs or the network broke. It may never end by itself, so its connection is ended.
 */
async function lockPreparation(tx: Tx, { listId }: PreparationRun): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and classid::bigint = ${preparationLock}
      and objid::bigint = hashtext(${listId})::bigint & 4294967295 and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(tx);
  await sql`select pg_advisory_xact_lock(${preparationLock}::int, hashtext(${listId}))`.execute(tx);
}

const lineEnd = '\n'.charCodeAt(0);

/** Tells every second how many rows went by, and ends when the list needs them no more. */
function countRows(parts: PrepareParts, run: PreparationRun, { lines, ...rest }: RowLines): RowLines {
  const { clock } = parts;
  let rows = 0;
  let publishedAt = clock.steadyMs();
  const counted = async function* () {
    for await (const piece of lines) {
      yield piece;
      for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, end + 1)) rows += 1;
      if (clock.steadyMs() - publishedAt < publishEveryMs) continue;
      if (!(await noteCopied(parts, run, rows))) throw new PreparationOver();
      publishedAt = clock.steadyMs();
    }
  };
  return { lines: counted(), ...rest };
}

/**
 * The copy holds a connection of the customer, so waiting for a second one could take for ever. And a failure to publish progress
 * must not end the copy.
 */
const noteCopied = (parts: PrepareParts, run: PreparationRun, rows: number): Promise<boolean> =>
  onBehalfOf('', () => emailLists.results.noteCopied(parts, run, rows)).catch((error: unknown) => {
    if (isDatabaseAway(error)) return true;
    throw error;
  });

/** What another try would not change. */
const isLasting = (error: unknown): error is AppError =>
  error instanceof AppError && error.code !== 'too_many_requests' && error.status < 500;
