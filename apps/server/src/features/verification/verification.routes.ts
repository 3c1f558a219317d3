import type { MetricsEntry } from '@assay/contract';
import { VERDICTS, validationsRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../platform/errors/index.ts';
import {
  callerNetwork,
  clientSignal,
  readLongBodies,
  registerRoute,
  sendFile,
  serveLinkedFiles,
} from '../../platform/http/index.ts';
import { orTwinsAnswer, readHashedCall, readIdempotentCall } from '../../platform/idempotency/idempotency.ts';
import { FairQueue } from '../../platform/limits/fair-queue.ts';
import type { ConcurrencyLimit } from '../../platform/limits/index.ts';
import { sheetColumnsMax } from '../../platform/workbooks/write-xlsx.ts';
import { recordActivity } from '../activity/index.ts';
import { payingKeyOf } from '../billing/index.ts';
import { limitRestarts, nameFromFile, placeOf, registerControlRoutes } from '../lists/index.ts';
import { findOutcomesOf } from '../outcomes/index.ts';
import { limitUploads, serveExclusions } from '../uploads/index.ts';
import { columnsAnswer } from './exports/chosen-columns.ts';
import { type ExportLayout, findExportLayout } from './exports/export-layout.ts';
import {
  type ExportOrder,
  emailExportName,
  exportOrderSchema,
  type StoredExport,
} from './exports/export-link.ts';
import {
  createExportLink,
  listExportLinks,
  openExportLink,
  revokeExportLink,
  sharedFilesPath,
} from './exports/export-links.ts';
import { addedTo } from './exports/export-rows.store.ts';
import { createSharedDownloads } from './exports/shared-downloads.ts';
import { streamExport } from './exports/stream-export.ts';
import {
  type EmailUpload,
  type EmailUploadParts,
  findEmailUpload,
  nameOfUpload,
  previewAnswer,
} from './files/email-uploads.ts';
import { type EstimateParts, estimateUpload } from './files/estimate-upload.ts';
import { exportExclusions } from './files/export-exclusions.ts';
import { readCreation, readPreview } from './files/read-creation.ts';
import { readEmailsBody, takeEmails } from './files/take-emails.ts';
import { hideLiveWork } from './hide-live-work.ts';
import { type CreationParts, createList, createUncountedList } from './lists/create-list.ts';
import { emailAnswer, emailDetailAnswer, summaryAnswer } from './lists/email-answer.ts';
import { type EmailListRow, emailLists, listAnswer, totalOf } from './lists/email-lists.ts';
import { reverifyList } from './lists/reverify-list.ts';
import { readMetrics } from './metrics.service.ts';
import { AddressSearch } from './rows/address-search.ts';
import { findListEmail, findListEmails } from './rows/emails.store.ts';
import { FarPages } from './rows/far-pages.ts';
import { findKinds } from './rows/kinds.store.ts';
import { admitToSandbox, sandboxMark } from './sandbox.ts';
import { registerSingleRoutes, type SingleRoutesParts } from './singles/singles.routes.ts';

export interface ValidationsParts
  extends CreationParts,
    EmailUploadParts,
    EstimateParts,
    Omit<SingleRoutesParts, 'farPages'> {
  readonly uploads: ConcurrencyLimit;
}

export async function registerValidationsRoutes(
  api: FastifyInstance,
  parts: ValidationsParts,
): Promise<void> {
  await api.register(async (app) => {
    hideLiveWork(app, parts.db);
    await registerRoutes(app, parts);
  });
}

async function registerRoutes(app: FastifyInstance, parts: ValidationsParts): Promise<void> {
  await app.register(async (scope) => {
    // A call takes one file. The parser accepts a second one so that our refusal can name it.
    await scope.register(import('@fastify/multipart'), {
      limits: { files: 2, fields: 8, fileSize: parts.limits.bytesMax + 1 },
    });
    limitUploads(scope, parts.uploads);
    registerUploadRoutes(scope, parts);
    await scope.register(async (inner) => registerEmailsRoute(inner, parts));
  });
  const farPages = new FarPages(parts.db);
  registerSingleRoutes(app, { ...parts, farPages });
  registerListRoutes(app, { ...parts, farPages });
  registerExportRoutes(app, parts);
  registerEstimates(app, parts);
}

function registerListRoutes(
  app: FastifyInstance,
  parts: ValidationsParts & { readonly farPages: FarPages },
): void {
  const { db, reads, farPages } = parts;
  const addresses = new AddressSearch(db);
  app.addHook('onClose', async () => addresses.close());
  registerControlRoutes(app, parts, { routes: validationsRoutes, lists: emailLists, answerOf: listAnswer });
  registerRoute(app, validationsRoutes.getMetrics, async ({ caller, query }) => {
    // Metrics contain paid work only, which does not exist for a test key.
    const ownerId = caller.key?.grant?.isTest ? null : caller.accountId;
    const reading = await reads.begin();
    const results: MetricsEntry[] = await reading.read((source) => readMetrics(source.db, ownerId, query));
    return { results };
  });
  registerRoute(app, validationsRoutes.listEmails, async ({ caller, params, query }) => {
    const place = placeOf(caller, params);
    const list = await emailLists.answers.requireRows(db, place);
    const { search, status, reason, flag, mx_provider, sort, ...page } = query;
    const filter = filterOf({ search, status, reason, flag, mx_provider });
    // The newest are those with a result.
    const counted = sort === 'newest' ? { ...filter, verdicts: filter.verdicts ?? VERDICTS } : filter;
    const { rows, total, isTotalExact } = await findListEmails({ db, addresses, farPages }, place, {
      filter,
      sort,
      page,
      rowCount: list.total_emails,
      knownTotal: totalOf(list, counted),
    });
    const numbers = rows.map(({ row_number }) => row_number);
    const beside = await findOutcomesOf(db, place.ownerId, place.listId, numbers);
    return {
      results: rows.map((email) => emailAnswer(list, email, beside)),
      total,
      total_is_exact: isTotalExact,
    };
  });
  registerRoute(app, validationsRoutes.summariseEmails, async ({ caller, params }) => {
    const place = placeOf(caller, params);
    await emailLists.answers.require(db, place);
    return summaryAnswer(await findKinds(db, place));
  });
  registerRoute(app, validationsRoutes.getListEmail, async ({ caller, params }) => {
    const place = placeOf(caller, params);
    const list = await emailLists.answers.requireRows(db, place);
    const email = await findListEmail(db, place, Number(params.email_id));
    if (!email) throw new AppError('not_found', { listId: params.list_id });
    const beside = await findOutcomesOf(db, place.ownerId, place.listId, [email.row_number]);
    return emailDetailAnswer(list, email, beside);
  });
  registerRoute(app, validationsRoutes.reverifyList, async ({ caller, params, query, request }) => {
    await limitRestarts(parts, caller.accountId);
    const ignoresSuppression = query.ignore_suppression ?? false;
    const contents = ['reverify list', params.list_id, ...(ignoresSuppression ? ['ignore_suppression'] : [])];
    const call = readIdempotentCall(caller.accountId, request.headers['idempotency-key'], contents);
    return orTwinsAnswer(db, call, () =>
      reverifyList(parts, placeOf(caller, params), call, {
        apiKey: payingKeyOf(caller),
        ignoresSuppression,
      }),
    );
  });
}

function registerUploadRoutes(app: FastifyInstance, parts: ValidationsParts): void {
  registerRoute(app, validationsRoutes.previewList, async ({ caller, query, request, reply }) => {
    const isSandbox = await admitToSandbox(parts, caller, query.sandbox);
    return previewAnswer(
      await readPreview({ request, caller, signal: clientSignal(reply) }, parts, isSandbox),
    );
  });
  registerRoute(app, validationsRoutes.createList, async ({ caller, query, request, reply }) => {
    const isSandbox = await admitToSandbox(parts, caller, query.sandbox);
    const form = { request, caller, signal: clientSignal(reply) };
    const creation = await readCreation(form, parts, isSandbox);
    const { upload, withHeaders, name, emailColumn, ignoresSuppression } = creation;
    const { sheet } = 'wish' in upload ? upload.wish : {};
    const call = readIdempotentCall(caller.accountId, request.headers['idempotency-key'], [
      'list',
      upload.fileName,
      upload.contentHash ?? upload.id,
      withHeaders,
      name ?? null,
      ...(emailColumn === undefined ? [] : [emailColumn]),
      ...(sheet === undefined ? [] : [{ sheet }]),
      ...(isSandbox ? ['sandbox'] : []),
      ...(ignoresSuppression ? ['ignore_suppression'] : []),
    ]);
    const order = { ownerId: caller.accountId, apiKey: payingKeyOf(caller), withHeaders };
    if ('wish' in upload) {
      const long = { ...order, upload, name: name ?? nameFromFile(upload.fileName) };
      return orTwinsAnswer(parts.db, call, () => createUncountedList(parts, long, call));
    }
    const list = {
      ...order,
      upload,
      // A plain list of addresses has no header that the first one could be.
      withHeaders: withHeaders && !upload.reading.dialect.isAddressList,
      name: name ?? nameOfUpload(upload),
    };
    return orTwinsAnswer(parts.db, call, () => createList(parts, list, call));
  });
}

/** In a scope of its own, because of how it reads its body. */
function registerEmailsRoute(scope: FastifyInstance, parts: ValidationsParts): void {
  const bodyOf = readLongBodies(scope, readEmailsBody(parts));
  registerRoute(scope, validationsRoutes.createListFromEmails, async ({ caller, query, request }) => {
    const emails = bodyOf(request);
    const isSandbox = await admitToSandbox(parts, caller, query.sandbox);
    const { requestHashes, name, ignoresSuppression } = emails;
    const hash = isSandbox ? requestHashes.sandbox : requestHashes.real;
    const call = readHashedCall(caller.accountId, request.headers['idempotency-key'], hash);
    const order = { ownerId: caller.accountId, apiKey: payingKeyOf(caller), withHeaders: true, isNew: true };
    const makeList = (upload: EmailUpload) =>
      createList(parts, { ...order, upload, name: name ?? nameOfUpload(upload) }, call);
    return orTwinsAnswer(parts.db, call, () =>
      takeEmails(parts, caller.accountId, emails, { isSandbox, ignoresSuppression, makeList }),
    );
  });
}

function registerExportRoutes(app: FastifyInstance, parts: ValidationsParts): void {
  const pageTurns = new FairQueue({ placeCount: 1 });
  const linkTo = serveLinkedFiles(app, parts, {
    path: '/validations/exports',
    order: exportOrderSchema,
    key: parts.secrets.keyFor('export links'),
    open: (order) => openExport(parts, pageTurns, order),
  });
  registerRoute(app, validationsRoutes.exportList, async ({ caller, params, query }) => {
    const place = placeOf(caller, params);
    const list = await emailLists.answers.requireRows(parts.db, place);
    const now = parts.clock.now();
    await recordActivity(parts.db, caller, { kind: 'export.created', list, now });
    return {
      download_link: linkTo({ ...place, ...storedExport(list, query) }),
      ...sandboxMark(list.is_sandbox),
    };
  });
  registerRoute(app, validationsRoutes.getListColumns, async ({ caller, params }) => {
    const place = placeOf(caller, params);
    await emailLists.answers.requireRows(parts.db, place);
    return columnsAnswer(await emailLists.store.findLayout(parts.db, place));
  });
  registerRoute(app, validationsRoutes.createExportLink, async ({ caller, params, body }) => {
    const place = placeOf(caller, params);
    const { days, ...wanted } = body;
    const stored = storedExport(await emailLists.answers.requireRows(parts.db, place), wanted);
    return createExportLink(parts, caller, place, stored, days);
  });
  registerRoute(app, validationsRoutes.listExportLinks, async ({ caller, params }) => ({
    results: await listExportLinks(parts, placeOf(caller, params)),
  }));
  registerRoute(app, validationsRoutes.revokeExportLink, async ({ caller, params }) => {
    await revokeExportLink(parts, caller, placeOf(caller, params), params.link_id);
    return null;
  });
  const sharedDownloads = createSharedDownloads();
  // No call of the contract: people follow the link, and the answer is a file.
  const querystring = z.strictObject({ token: z.string().check(z.maxLength(100)) });
  app.get(
    sharedFilesPath,
    { config: { auth: 'public', isOpenedByPeople: true }, schema: { querystring, hide: true } },
    async (request, reply) => {
      const { token } = request.query as { token: string };
      const { linkId, ...order } = await openExportLink(parts, token);
      const downloads = sharedDownloads({
        linkId,
        ownerId: order.ownerId,
        network: callerNetwork(request.ip),
      });
      return sendFile(reply, { ...parts, downloads }, order, () => openExport(parts, pageTurns, order));
    },
  );
}

async function openExport(parts: ValidationsParts, pageTurns: FairQueue, order: ExportOrder) {
  const stillThere = () => emailLists.answers.require(parts.db, order);
  const list = await stillThere();
  const layout = await findExportLayout(parts.db, order);
  requireWidth(layout, order);
  const reading = await parts.reads.begin();
  const contents = streamExport({ reading, pageTurns, requireList: stillThere }, layout, order);
  return { name: emailExportName(list.name, order), contents };
}

function storedExport(list: EmailListRow, wanted: WantedExport): StoredExport {
  const { status, safe = false, rows = 'distinct', formulas = 'neutralised', format = 'csv' } = wanted;
  if (safe) requireFlags(list);
  const { search, reasons, flags, mxProviders } = filterOf(wanted);
  const filter = { search, reasons, flags, mxProviders };
  if (rows === 'all' && Object.values(filter).some((values) => values !== undefined)) throw filterOfAll();
  return {
    verdicts: status ?? [...VERDICTS],
    ...filter,
    columns: wanted.column,
    resultColumns: wanted.result_column,
    safe,
    // Repeated and malformed rows are not safe to send to.
    rows: safe ? 'distinct' : rows,
    formulas,
    format,
  };
}

const filterOf = ({ search, status, reason, flag, mx_provider }: EmailFilterQuery) => ({
  search: search || undefined,
  verdicts: status,
  reasons: reason,
  flags: flag,
  mxProviders: mx_provider,
});

type EmailFilterQuery = Pick<WantedExport, 'search' | 'status' | 'reason' | 'flag' | 'mx_provider'>;

const filterOfAll = () =>
  new AppError(
    'invalid_request',
    {},
    {
      text: 'rows=all is the whole file. Leave it out to filter by search, reason, flag or mx_provider.',
      meta: { field: 'rows' },
    },
  );

type WantedExport = z.output<typeof validationsRoutes.exportList.query>;

/** What a customer can learn of an upload before paying. */
function registerEstimates(app: FastifyInstance, parts: ValidationsParts): void {
  registerRoute(app, validationsRoutes.estimateList, ({ caller, params, reply }) =>
    estimateUpload(parts, caller.accountId, params.upload_id, clientSignal(reply)),
  );
  const orderExclusions = serveExclusions(app, parts, {
    path: '/validations/exclusions',
    key: parts.secrets.keyFor('exclusion links'),
    requireUpload: (ownerId, uploadId) => findEmailUpload(parts, ownerId, uploadId),
    open: (order) => exportExclusions(parts, order),
  });
  registerRoute(app, validationsRoutes.exportExclusions, orderExclusions);
}

/** Fewer columns than a sheet can have leave room for those that we add. */
function requireWidth({ column_count, has_outcomes }: ExportLayout, { format, listId }: ExportOrder): void {
  if (format !== 'xlsx' || (column_count ?? 0) <= sheetColumnsMax - addedTo({ has_outcomes }).length) return;
  throw new AppError('list_too_wide', { listId });
}

/** Which addresses are safe to send to is known only if their flags were stored. */
function requireFlags({ id, safe_emails }: EmailListRow): void {
  if (safe_emails === null) throw new AppError('list_without_flags', { listId: id });
}
