import { GUESS_OUTCOMES, type GuessPreview, guessingRoutes } from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Reads } from '../../platform/database/reads.ts';
import { AppError } from '../../platform/errors/index.ts';
import { clientSignal, registerRoute, serveLinkedFiles } from '../../platform/http/index.ts';
import { readIdempotentCall } from '../../platform/idempotency/idempotency.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ConcurrencyLimit } from '../../platform/limits/index.ts';
import { findFlags } from '../accounts/index.ts';
import { recordActivity } from '../activity/index.ts';
import { payingKeyOf } from '../billing/index.ts';
import { limitRestarts, placeOf, registerControlRoutes } from '../lists/index.ts';
import { limitUploads, readFileForm, removeUpload, serveExclusions } from '../uploads/index.ts';
import { guessAnswer, guessDetailAnswer } from './guess-answer.ts';
import { findGuess, findPeople, findSingleGuesses } from './guesses.store.ts';
import { createGuessList } from './lists/create-guess-list.ts';
import { type EstimateParts, estimatePeople } from './lists/estimate-people.ts';
import { exportExcluded } from './lists/export-excluded-people.ts';
import { exportPeople, guessExportName, guessExportSchema } from './lists/export-guess-list.ts';
import {
  chosenColumns,
  findPeopleUpload,
  peopleFileBytesMax,
  previewAnswer,
  readOtherColumns,
  takePeopleFile,
} from './lists/guess-uploads.ts';
import { guessListAnswer, peopleLists } from './lists/people-lists.ts';
import { reverifyGuessList } from './lists/reverify-guess-list.ts';
import { type StartParts, startGuess } from './start-guess.ts';

export interface GuessingParts extends Omit<StartParts, 'limits'>, Omit<EstimateParts, 'limits'> {
  readonly limits: StartParts['limits'] & EstimateParts['limits'];
  readonly downloads: ConcurrencyLimit;
  readonly uploads: ConcurrencyLimit;
  readonly reads: Reads;
  readonly publicUrl: string;
}

/** Without the flag `guessing_enabled` these calls answer like an unknown path. */
export async function registerGuessingRoutes(app: FastifyInstance, parts: GuessingParts): Promise<void> {
  const linkTo = serveExports(app, parts);
  const orderExclusions = serveExcluded(app, parts);
  await app.register(async (scope) => {
    // After authentication, and before the request is read.
    scope.addHook('onRequest', ({ caller }) => requireFlag(parts, caller?.accountId));
    // A call takes one file. The parser accepts a second one so that our refusal can name it.
    await scope.register(import('@fastify/multipart'), {
      limits: { files: 2, fields: 8, fileSize: peopleFileBytesMax + 1 },
    });
    limitUploads(scope, parts.uploads);
    registerSingleRoutes(scope, parts);
    registerListRoutes(scope, parts);
    registerUploadRoutes(scope, parts);
    registerExportOrder(scope, parts, linkTo);
    registerRoute(scope, guessingRoutes.exportExclusions, orderExclusions);
  });
}

async function requireFlag({ db }: GuessingParts, accountId: AccountId | undefined): Promise<void> {
  const flags = accountId === undefined ? undefined : await findFlags(db, accountId);
  if (!flags?.guessing_enabled) throw new AppError('route_not_found');
}

function registerSingleRoutes(app: FastifyInstance, parts: GuessingParts): void {
  const { db } = parts;
  registerRoute(app, guessingRoutes.listGuesses, async ({ caller, query }) => {
    const { rows, total } = await findSingleGuesses(db, caller.accountId, query);
    return { results: rows.map(guessAnswer), total };
  });
  registerRoute(app, guessingRoutes.getGuess, async ({ caller, params }) => {
    const guess = await findGuess(db, { ownerId: caller.accountId, guessId: params.guess_id });
    if (!guess) throw new AppError('not_found', { guessId: params.guess_id });
    return guessDetailAnswer(guess);
  });
  registerRoute(app, guessingRoutes.startGuess, async ({ caller, body, request }) => {
    const call = readIdempotentCall(caller.accountId, request.headers['idempotency-key'], ['guess', body]);
    return startGuess(parts, caller, body, call);
  });
}

function registerListRoutes(app: FastifyInstance, parts: GuessingParts): void {
  const { db } = parts;
  registerControlRoutes(app, parts, {
    routes: guessingRoutes,
    lists: peopleLists,
    answerOf: guessListAnswer,
  });
  registerRoute(app, guessingRoutes.listPeople, async ({ caller, params, query }) => {
    const place = placeOf(caller, params);
    await peopleLists.answers.require(db, place);
    const { rows, total } = await findPeople(db, place, query.outcome, query);
    return { results: rows.map(guessAnswer), total };
  });
  registerRoute(app, guessingRoutes.reverifyList, async ({ caller, params, request }) => {
    await limitRestarts(parts, caller.accountId);
    const contents = ['reverify guess-list', params.list_id];
    const call = readIdempotentCall(caller.accountId, request.headers['idempotency-key'], contents);
    return reverifyGuessList(parts, placeOf(caller, params), call, payingKeyOf(caller));
  });
}

function registerUploadRoutes(app: FastifyInstance, parts: GuessingParts): void {
  registerRoute(app, guessingRoutes.previewList, async ({ caller, request, reply }) =>
    readPreview(request, parts, caller.accountId, clientSignal(reply)),
  );
  registerRoute(app, guessingRoutes.estimateList, ({ caller, params, reply }) =>
    estimatePeople(parts, caller.accountId, params.upload_id, clientSignal(reply)),
  );
  registerRoute(app, guessingRoutes.createList, async ({ caller, body, request, reply }) => {
    const call = readIdempotentCall(caller.accountId, request.headers['idempotency-key'], [
      'guess-list',
      body,
    ]);
    const order = {
      uploadId: body.upload_id,
      withHeaders: body.with_headers,
      name: body.name,
      signal: clientSignal(reply),
    };
    return createGuessList(parts, caller, order, call);
  });
}

/** A preview of a file that is sent with the call, or of an earlier upload with other columns. */
async function readPreview(
  request: FastifyRequest,
  parts: GuessingParts,
  ownerId: AccountId,
  signal: AbortSignal,
): Promise<GuessPreview> {
  const { taken, fields } = await readFileForm(request, guessingRoutes.previewList.body, {
    take: (file, { sheet, ...columns }) =>
      takePeopleFile(parts, ownerId, { ...file, sheet }, chosenColumns(columns)),
    discard: ({ upload }) => removeUpload(parts, { ownerId, ...upload }),
  });
  if (taken) return previewAnswer(taken);
  if (!fields.upload_id) throw new AppError('file_missing');
  return previewAnswer(
    await readOtherColumns(parts, ownerId, fields.upload_id, chosenColumns(fields), signal),
  );
}

/** Outside of the scope that requires a customer, because the link names the owner. */
const serveExports = (app: FastifyInstance, parts: GuessingParts) =>
  serveLinkedFiles(app, parts, {
    path: '/guessing/exports',
    order: guessExportSchema,
    key: parts.secrets.keyFor('guess export links'),
    open: async (order, signal) => {
      await requireFlag(parts, order.ownerId);
      const list = await peopleLists.answers.require(parts.db, order);
      const contents = await exportPeople(await parts.reads.begin(), order, signal);
      return { name: guessExportName(list.name, order), contents };
    },
  });

function registerExportOrder(
  app: FastifyInstance,
  parts: GuessingParts,
  linkTo: ReturnType<typeof serveExports>,
): void {
  registerRoute(app, guessingRoutes.exportList, async ({ caller, params, query }) => {
    const place = placeOf(caller, params);
    const list = await peopleLists.answers.require(parts.db, place);
    await recordActivity(parts.db, caller, { kind: 'export.created', list, now: parts.clock.now() });
    const link = linkTo({
      ...place,
      outcomes: query.outcome ?? [...GUESS_OUTCOMES],
      rows: query.rows ?? 'distinct',
      formulas: query.formulas ?? 'neutralised',
      format: query.format ?? 'csv',
    });
    return { download_link: link };
  });
}

const serveExcluded = (app: FastifyInstance, parts: GuessingParts) =>
  serveExclusions(app, parts, {
    path: '/guessing/exclusions',
    key: parts.secrets.keyFor('guess exclusion links'),
    requireUpload: (ownerId, uploadId) => findPeopleUpload(parts, ownerId, uploadId),
    open: async (order) => {
      await requireFlag(parts, order.ownerId);
      return exportExcluded(parts, order);
    },
  });
