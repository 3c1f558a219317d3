import { bouncesRoutes } from '@assay/contract';
import type { BounceFinding } from '@assay/verifier/bounces';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';
import { readLongBodies, registerRoute } from '../../platform/http/index.ts';
import { type AttemptParts, requireAttempt } from '../../platform/limits/index.ts';
import { type ReadingPool, shortFileBytes } from '../../platform/reading/index.ts';
import { explainBounceJob } from './explain-job.ts';

interface BouncesParts extends AttemptParts {
  readonly readingPool: ReadingPool;
}

/** Bodies that are a mail, a reply or the form of a sender, and not JSON. */
const plainTypes = [
  'message/rfc822',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
];
/** More may name many recipients, each of which takes time to judge, so it is not read in place. */
const inPlaceBytesMax = 1_000;
/** The call is free, so that its number is limited besides that of all calls. */
const callsPerMinute = 300;

export async function registerBouncesRoutes(app: FastifyInstance, parts: BouncesParts): Promise<void> {
  // In a scope of its own, because of how it reads its body.
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      plainTypes,
      { parseAs: 'buffer' },
      async (_: FastifyRequest, body: Buffer) => body,
    );
    const findingsOf = readLongBodies(scope, (body, request) => explain(parts, body, request));
    registerRoute(scope, bouncesRoutes.explain, async ({ request }) => ({ results: findingsOf(request) }));
  });
}

async function explain(
  parts: BouncesParts,
  body: Buffer,
  { caller, headers }: Pick<FastifyRequest, 'caller' | 'headers'>,
): Promise<BounceFinding[]> {
  if (!caller) throw new AppError('unauthorized');
  const limit = { bucket: 'explain_bounces', key: caller.accountId, max: callsPerMinute, windowSeconds: 60 };
  await requireAttempt(parts, limit);
  const isShort = body.length <= inPlaceBytesMax;
  const byteCount = isShort ? body.length : Math.max(body.length, shortFileBytes + 1);
  const file = { ownerId: caller.accountId, byteCount, bytes: inOnePiece(body) };
  const isJson = headers['content-type']?.startsWith('application/json') ?? true;
  return parts.readingPool.read(explainBounceJob, file, { isJson }).result;
}

async function* inOnePiece(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
