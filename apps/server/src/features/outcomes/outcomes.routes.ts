import { outcomesRoutes } from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { readLongBodies, registerRoute } from '../../platform/http/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import { type AttemptParts, type ConcurrencyLimit, requireAttempt } from '../../platform/limits/index.ts';
import { type ReadingPool, shortFileBytes } from '../../platform/reading/index.ts';
import { registerFileRoutes } from './files/files.routes.ts';
import { isWholeAddress, listOutcomes } from './list-outcomes.store.ts';
import { registerMailboxRoutes } from './mailboxes/mailboxes.routes.ts';
import type { MailboxParts } from './mailboxes/mailboxes.service.ts';
import type { OutcomeReport } from './outcome.ts';
import { outcomesBodyJob } from './outcomes-job.ts';
import { type OutcomeParts, recordOutcomes } from './record-outcomes.ts';
import { readPage } from './reported.ts';

interface OutcomesRouteParts extends AttemptParts, OutcomeParts, MailboxParts {
  readonly readingPool: ReadingPool;
  readonly uploads: ConcurrencyLimit;
  /** Whether the customer has this list. */
  readonly hasList: (ownerId: AccountId, listId: string) => Promise<boolean>;
}

/** A million outcomes in a few minutes. The calls are free, so that their number is limited besides that of all calls. */
const callsPerMinute = 60;

export async function registerOutcomesRoutes(app: FastifyInstance, parts: OutcomesRouteParts): Promise<void> {
  registerListing(app, parts);
  registerMailboxRoutes(app, parts);
  await app.register((scope) => registerFileRoutes(scope, parts));
  // In a scope of its own, because of how it reads its body.
  await app.register(async (scope) => {
    const bodyOf = readLongBodies(scope, (body, request) => readBody(parts, body, request));
    registerRoute(scope, outcomesRoutes.report, async ({ caller, request }) => {
      const { reports, listId } = bodyOf(request);
      if (listId !== undefined && !(await parts.hasList(caller.accountId, listId)))
        throw new AppError('list_not_found', { listId });
      const origin = { source: 'api', sourceId: null } as const;
      const { recordedCount, repeatedCount } = await recordOutcomes(parts, caller.accountId, origin, reports);
      return { recorded: recordedCount, repeated: repeatedCount };
    });
  });
}

/** Searches and far pages, of all customers together: each keeps a processor of the database busy. */
const longReadsAtOnce = 2;
const waitingMax = 20;
const restMsMax = 5_000;
const farRows = 10_000;

function registerListing(app: FastifyInstance, { db }: OutcomesRouteParts): void {
  const turns = new FairQueue({
    placeCount: longReadsAtOnce,
    perCustomer: { waitingMax, text: 'Too many searches of yours at once. Wait for one of them.' },
    restMsAfter: (ranMs) => Math.min(ranMs, restMsMax),
  });
  registerRoute(app, outcomesRoutes.listOutcomes, async ({ caller, query }) => {
    const { search = '', kind, ...page } = query;
    const list = (isWhole: boolean) => listOutcomes(db, caller.accountId, { search, isWhole, kind }, page);
    if (isWholeAddress(search)) {
      const found = await list(true);
      if (found.total > 0) return found;
    }
    const isLong = search !== '' || (page.page_number - 1) * page.page_size > farRows;
    return isLong ? turns.run(caller.accountId, () => list(false)) : list(false);
  });
}

interface OutcomesBody {
  readonly reports: readonly OutcomeReport[];
  readonly listId: string | undefined;
}

async function readBody(
  parts: OutcomesRouteParts,
  body: Buffer,
  { caller }: Pick<FastifyRequest, 'caller'>,
): Promise<OutcomesBody> {
  if (!caller) throw new AppError('unauthorized');
  const limit = { bucket: 'report_outcomes', key: caller.accountId, max: callsPerMinute, windowSeconds: 60 };
  await requireAttempt(parts, limit);
  // Judging replies takes longer than reading them, so that a long body has a budget and its turn.
  const byteCount = body.length <= inPlaceBytesMax ? body.length : Math.max(body.length, shortFileBytes + 1);
  const file = { ownerId: caller.accountId, byteCount, bytes: inOnePiece(body) };
  const { output, result } = parts.readingPool.read(outcomesBodyJob, file, { now: parts.clock.now() });
  const reports: OutcomeReport[] = [];
  for await (const page of output) reports.push(...readPage(page));
  const { listId } = await result;
  return { reports, listId };
}

const inPlaceBytesMax = 1_000;

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
