import { setImmediate as nextTurn } from 'node:timers/promises';
import { OUTCOME_FILES, type OutcomeFile, outcomesRoutes } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Caller } from '../../../platform/auth/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { clientSignal, registerRoute } from '../../../platform/http/index.ts';
import type { ConcurrencyLimit } from '../../../platform/limits/index.ts';
import { type ReadingPool, type StartedJob, shortFileBytes } from '../../../platform/reading/index.ts';
import { recordActivity } from '../../activity/index.ts';
import {
  inOrder,
  limitUploads,
  type OpenedFile,
  openIncoming,
  readFileForm,
  readWhole,
  refuseFile,
} from '../../uploads/index.ts';
import type { OutcomeReport } from '../outcome.ts';
import { type OutcomeParts, type RecordedOutcomes, recordOutcomes } from '../record-outcomes.ts';
import { readPage } from '../reported.ts';
import { type OutcomeFileOptions, readOutcomeFileJob } from './outcome-file.job.ts';

interface FileRouteParts extends OutcomeParts {
  readonly readingPool: ReadingPool;
  readonly uploads: ConcurrencyLimit;
}

type FileFields = z.output<typeof outcomesRoutes.previewFile.body>;

/** As many as are recorded in a transaction. */
const reportsAtOnce = 10_000;

export async function registerFileRoutes(scope: FastifyInstance, parts: FileRouteParts): Promise<void> {
  // A call takes one file. The parser accepts a second one so that our refusal can name it.
  await scope.register(import('@fastify/multipart'), {
    limits: { files: 2, fields: 10, fileSize: OUTCOME_FILES.bytesMax + 1 },
  });
  limitUploads(scope, parts.uploads);
  registerRoute(scope, outcomesRoutes.previewFile, ({ caller, request, reply }) =>
    readUpload(parts, caller, { request, reply }, async ({ output, result }) => {
      output.resume();
      return result;
    }),
  );
  registerRoute(scope, outcomesRoutes.importFile, ({ caller, request, reply }) =>
    readUpload(
      parts,
      caller,
      { request, reply },
      async ({ output, result }) => {
        const pages: Buffer[] = [];
        for await (const page of output) pages.push(page);
        const file = await result;
        if (file.missing.length > 0)
          throw new AppError('outcome_file_unclear', {}, { meta: { missing: file.missing } });
        const { recordedCount, repeatedCount } = await recordPages(parts, caller, pages);
        return { recorded: recordedCount, repeated: repeatedCount, file };
      },
      { isWanted: true },
    ),
  );
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function readUpload<Answer>(
  { readingPool, clock }: FileRouteParts,
  caller: Caller,
  { request, reply }: Exchange,
  use: (reading: StartedJob<OutcomeFile>) => Promise<Answer>,
  { isWanted = false } = {},
): Promise<Answer> {
  const { bytesMax } = OUTCOME_FILES;
  // Read after the form has ended, so that its fields may come behind the file.
  const { taken, fields } = await readFileForm(request, outcomesRoutes.previewFile.body, {
    take: async (file): Promise<Taken> => {
      const opened = await openIncoming(file, { bytesMax }).catch(refuseFile);
      if (opened.kind === 'workbook') return opened;
      return { kind: 'whole', bytes: await readWhole(opened.bytes, { bytesMax }).catch(refuseFile) };
    },
    discard: close,
  });
  if (!taken) throw new AppError('file_missing');
  try {
    const isShort = taken.kind === 'whole' && taken.bytes.length <= inPlaceBytesMax;
    const byteCount = taken.kind === 'whole' ? taken.bytes.length : taken.byteCount;
    const order = {
      ownerId: caller.accountId,
      byteCount: isShort ? byteCount : Math.max(byteCount, shortFileBytes + 1),
      ...(taken.kind === 'whole' && { bytes: inOrder([taken.bytes]) }),
      signal: clientSignal(reply),
    };
    const options: OutcomeFileOptions = {
      wishes: wishesOf(fields),
      now: clock.now(),
      isWanted,
      packed: taken.kind === 'workbook' ? { fd: taken.handle.fd, sheet: fields.sheet } : undefined,
    };
    return await use(readingPool.read(readOutcomeFileJob, order, options));
  } finally {
    await close(taken);
  }
}

/** Judging what a file says takes longer than reading it. */
const inPlaceBytesMax = 1_000;

type Taken = Exclude<OpenedFile, { kind: 'text' }> | { readonly kind: 'whole'; readonly bytes: Buffer };

const close = async (taken: Taken): Promise<void> => {
  if (taken.kind === 'workbook') await taken.handle.close();
};

const wishesOf = (fields: FileFields): OutcomeFileOptions['wishes'] => ({
  columns: {
    email: fields.email_column,
    kind: fields.kind_column,
    at: fields.at_column,
    detail: fields.detail_column,
    id: fields.id_column,
  },
  kind: fields.kind,
  date: fields.date,
});

/** Each page in its turn. A call that breaks off has kept some; the file again keeps the others. */
async function recordPages(
  parts: FileRouteParts,
  caller: Caller,
  pages: readonly Buffer[],
): Promise<Pick<RecordedOutcomes, 'recordedCount' | 'repeatedCount'>> {
  let recordedCount = 0;
  let repeatedCount = 0;
  let reports: OutcomeReport[] = [];
  const record = async () => {
    const origin = { source: 'file', sourceId: null } as const;
    const recorded = await recordOutcomes(parts, caller.accountId, origin, reports);
    recordedCount += recorded.recordedCount;
    repeatedCount += recorded.repeatedCount;
    reports = [];
  };
  for (const page of pages) {
    await nextTurn();
    const next = readPage(page);
    if (reports.length + next.length > reportsAtOnce) await record();
    reports.push(...next);
  }
  if (reports.length > 0) await record();
  if (recordedCount > 0) {
    const about = recordedCount === 1 ? '1 outcome' : `${recordedCount} outcomes`;
    await recordActivity(parts.db, caller, { kind: 'outcome.imported', about, now: parts.clock.now() });
  }
  return { recordedCount, repeatedCount };
}
