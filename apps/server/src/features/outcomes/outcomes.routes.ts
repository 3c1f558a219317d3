import { outcomesRoutes } from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { readLongBodies, registerRoute } from '../../platform/http/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';
import { type ReadingPool, shortFileBytes } from '../../platform/reading/index.ts';
import type { OutcomeReport } from './outcome.ts';
import { outcomesBodyJob, readPage } from './outcomes-job.ts';
import { type OutcomeParts, recordOutcomes } from './record-outcomes.ts';

interface OutcomesRouteParts extends AttemptParts, OutcomeParts {
  readonly readingPool: ReadingPool;
  /** Whether the customer has this list. */
  readonly hasList: (ownerId: AccountId, listId: string) => Promise<boolean>;
}

/** A million outcomes in a few minutes. The calls are free, so that their number is limited besides that of all calls. */
const callsPerMinute = 60;

export async function registerOutcomesRoutes(app: FastifyInstance, parts: OutcomesRouteParts): Promise<void> {
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
