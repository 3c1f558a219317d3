import { type PageQuery, SUPPRESSION_LIMITS, suppressionsRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock, Schedule } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import { clientSignal, registerRoute, serveLinkedFiles } from '../../platform/http/index.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import type { ConcurrencyLimit } from '../../platform/limits/index.ts';
import type { ReadingPool } from '../../platform/reading/index.ts';
import { recordActivity } from '../activity/index.ts';
import { inOrder, limitUploads, readFileForm, readWholeFile, refuseFile } from '../uploads/index.ts';
import { entryPages } from './entry-pages.ts';
import { exportSuppressions } from './export-suppressions.ts';
import {
  addEntries,
  entryAnswer,
  listChanges,
  removeTarget,
  requireEntries,
} from './suppressions.service.ts';
import { findEntries } from './suppressions.store.ts';
import { readSuppressionsJob } from './suppressions-file.ts';

interface SuppressionRoutesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly secrets: Secrets;
  readonly readingPool: ReadingPool;
  readonly uploads: ConcurrencyLimit;
  readonly downloads: ConcurrencyLimit;
  readonly publicUrl: string;
}

/** Imports, searches and far pages, of all customers together: each keeps a processor of the database busy. */
const longCallsAtOnce = 2;
const waitingMax = 20;
const restMsMax = 5_000;
const farRows = 10_000;
const isFar = ({ page_number, page_size }: PageQuery): boolean => (page_number - 1) * page_size > farRows;

const exportName = 'Suppressions';

const orderSchema = z.strictObject({
  ownerId: z.uuid(),
  search: z.optional(z.string()),
  kind: suppressionsRoutes.exportSuppressions.query.shape.kind,
  reason: suppressionsRoutes.exportSuppressions.query.shape.reason,
  expiresAt: z.number(),
});

export async function registerSuppressionsRoutes(
  app: FastifyInstance,
  parts: SuppressionRoutesParts,
): Promise<void> {
  const { db, clock } = parts;
  const turns = new FairQueue({
    placeCount: longCallsAtOnce,
    perCustomer: {
      waitingMax,
      text: 'Too many imports and searches of yours at once. Wait for one of them.',
    },
    // One customer who makes one after another has half of a processor.
    restMsAfter: (ranMs) => Math.min(ranMs, restMsMax),
  });
  registerRoute(app, suppressionsRoutes.listSuppressions, async ({ caller, query }) => {
    const { search, kind, reason, ...page } = query;
    const find = () => findEntries(db, caller.accountId, { search, kind, reason }, page);
    const isLong = [search, kind, reason].some((part) => part !== undefined) || isFar(page);
    const { rows, total } = await (isLong ? turns.run(caller.accountId, find) : find());
    return { results: rows.map(entryAnswer), total };
  });
  registerRoute(app, suppressionsRoutes.addSuppressions, ({ caller, body }) =>
    addEntries(parts, caller, {
      pages: entryPages(requireEntries(body.entries)),
      source: caller.key ? 'api' : 'customer',
    }),
  );
  registerRoute(app, suppressionsRoutes.removeSuppression, async ({ caller, query }) => {
    await removeTarget(parts, caller, query.target);
    return null;
  });
  registerRoute(app, suppressionsRoutes.listSuppressionChanges, ({ caller, query }) =>
    listChanges(parts, caller.accountId, query),
  );
  const linkTo = serveLinkedFiles(app, parts, {
    path: '/suppressions/exports',
    order: orderSchema,
    key: parts.secrets.keyFor('suppression export links'),
    open: async ({ ownerId, expiresAt: _, ...filter }) => ({
      name: exportName,
      contents: exportSuppressions(db, ownerId, filter),
    }),
  });
  registerRoute(app, suppressionsRoutes.exportSuppressions, async ({ caller, query }) => {
    await recordActivity(db, caller, { kind: 'export.created', about: exportName, now: clock.now() });
    return { download_link: linkTo({ ownerId: caller.accountId, ...query }) };
  });
  await app.register((scope) => registerImport(scope, parts, turns));
}

async function registerImport(
  scope: FastifyInstance,
  parts: SuppressionRoutesParts,
  turns: FairQueue,
): Promise<void> {
  const bytesMax = SUPPRESSION_LIMITS.importBytes;
  // A call takes one file. The parser accepts a second one so that our refusal can name it.
  await scope.register(import('@fastify/multipart'), {
    limits: { files: 2, fields: 2, fileSize: bytesMax + 1 },
  });
  limitUploads(scope, parts.uploads);
  const route = suppressionsRoutes.importSuppressions;
  registerRoute(scope, route, async ({ caller, request, reply }) => {
    const { taken: file } = await readFileForm(request, route.body, {
      take: ({ bytes }) => readWholeFile(bytes, { bytesMax }).catch(refuseFile),
      discard: async () => undefined,
    });
    if (!file) throw new AppError('file_missing');
    const order = {
      ownerId: caller.accountId,
      byteCount: file.bytes.length,
      bytes: inOrder([file.bytes]),
      signal: clientSignal(reply),
    };
    const { output, result } = parts.readingPool.read(readSuppressionsJob, order, {
      encoding: file.encoding,
    });
    const pages: string[] = [];
    for await (const page of output) pages.push(String(page));
    const { problemCount, problems } = await result;
    const counts = await turns.run(caller.accountId, () =>
      addEntries(parts, caller, { pages, source: 'import' }),
    );
    return { ...counts, not_readable: problemCount, problems: [...problems] };
  });
}
