import { randomUUID } from 'node:crypto';
import { API_BASE, type SingleValidationDetail, validationsRoutes } from '@assay/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { missingScope } from '../../../platform/auth/index.ts';
import type { Schedule } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Reads } from '../../../platform/database/reads.ts';
import { shareLookups } from '../../../platform/database/share-lookups.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { EventHub } from '../../../platform/events/index.ts';
import { clientSignal, registerRoute, serveLinkedFiles } from '../../../platform/http/index.ts';
import { type IdempotentCall, readIdempotentCall } from '../../../platform/idempotency/idempotency.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../../../platform/limits/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { recordActivity } from '../../activity/index.ts';
import { payingKeyOf } from '../../billing/index.ts';
import { findOutcomesOfSingles, outcomesBeside } from '../../outcomes/index.ts';
import { type FarPages, isFar } from '../rows/far-pages.ts';
import { admitToSandbox, type SandboxParts } from '../sandbox.ts';
import { answerSingles } from './answer-singles.ts';
import { deleteSingle } from './delete-single.ts';
import { exportSingles, singlesExportName, singlesOrderSchema } from './export-singles.ts';
import { createSingleWaits } from './single-waits.ts';
import { findSingles, findSinglesAt, isStartedBy, type SinglePlace } from './singles.store.ts';
import {
  createSingleStarter,
  type NewSingle,
  type SinglesParts,
  singleDetailAnswer,
  withoutDetail,
} from './start-single.ts';

export interface SingleRoutesParts extends SinglesParts, SandboxParts {
  readonly schedule: Schedule;
  readonly events: EventHub;
  readonly reads: Reads;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly downloads: ConcurrencyLimit;
  readonly publicUrl: string;
  readonly farPages: FarPages;
  /** How many calls of one customer may wait in this process. A further call does not wait. */
  readonly waitsPerCustomer: number;
}

const singlesPath = validationsRoutes.startSingle.path;
/** When to ask again after a wait without a verdict. */
const lookAgainSeconds = 2;

export function registerSingleRoutes(app: FastifyInstance, parts: SingleRoutesParts): void {
  const { db } = parts;
  const startSingle = createSingleStarter(parts);
  const findSingle = shareLookups((places: readonly SinglePlace[]) => findSinglesAt(db, places));
  const waits = createSingleWaits(parts.events, parts.schedule);
  const slots = createConcurrencyLimit(parts.waitsPerCustomer, 'You have too many calls that wait.');
  parts.metrics.watch({
    name: 'assay_single_waits',
    help: 'Calls that wait for the verdict of a single check.',
    read: () => waits.count,
  });
  app.addHook('preClose', async () => waits.close());

  registerRoute(app, validationsRoutes.listSingles, async ({ caller, query }) => {
    const { search, status: verdicts, ...page } = query;
    const filter = { search, verdicts, isSandboxOnly: caller.key?.grant?.isTest };
    const find = () => findSingles(db, caller.accountId, filter, page);
    const { rows, total } = await (isFar(page) ? parts.farPages.read(caller.accountId, find) : find());
    const answers = await answerSingles(parts, rows);
    const beside = await findOutcomesOfSingles(
      db,
      caller.accountId,
      rows.map(({ id }) => id),
    );
    const results = answers.map((answer) => ({ ...answer, ...outcomesBeside(beside.get(answer.id)) }));
    return { results, total };
  });
  registerRoute(app, validationsRoutes.getSingle, async ({ caller, params: { validation_id } }) => {
    const { accountId, key } = caller;
    if (key?.grant?.mayReadOwnOnly && !(await isStartedBy(db, accountId, validation_id, key.id)))
      throw missingScope(caller, 'read_results');
    const beside = await findOutcomesOfSingles(db, accountId, [validation_id]);
    const single = await readSingle(accountId, validation_id);
    return { ...single, ...outcomesBeside(beside.get(validation_id)) };
  });
  registerRoute(app, validationsRoutes.deleteSingle, async ({ caller, params }) => {
    await deleteSingle(parts, caller, params.validation_id);
    return null;
  });
  const linkTo = serveLinkedFiles(app, parts, {
    path: '/validations/email_validation/exports',
    order: singlesOrderSchema,
    key: parts.secrets.keyFor('single export links'),
    open: async (order) => ({
      name: singlesExportName,
      contents: exportSingles(await parts.reads.begin(), order),
    }),
  });
  registerRoute(app, validationsRoutes.exportSingles, async ({ caller, query }) => {
    const { search, status: verdicts, format = 'csv', formulas = 'neutralised' } = query;
    await recordActivity(db, caller, {
      kind: 'export.created',
      about: singlesExportName,
      now: parts.clock.now(),
    });
    const filter = { search, verdicts, isSandboxOnly: caller.key?.grant?.isTest };
    return { download_link: linkTo({ ownerId: caller.accountId, ...filter, format, formulas }) };
  });
  registerRoute(app, validationsRoutes.startSingle, async ({ caller, query, body, request, reply }) => {
    const address = body.email_address ?? body.email;
    if (address === undefined)
      throw new AppError('email_not_valid', {}, { meta: { field: 'email_address' } });
    const { accountId: ownerId } = caller;
    const apiKey = payingKeyOf(caller);
    const isSandbox = await admitToSandbox(parts, caller, query.sandbox);
    const ignoresSuppression = body.ignore_suppression ?? false;
    const contents = [
      'single',
      address,
      ...(isSandbox ? ['sandbox'] : []),
      ...(ignoresSuppression ? ['ignore_suppression'] : []),
    ];
    const call = readIdempotentCall(ownerId, request.headers['idempotency-key'], contents);
    const order = { ownerId, id: randomUUID(), emailAddress: address, isSandbox, ignoresSuppression, apiKey };
    const placeOf = ({ id }: { readonly id: string }) => `${API_BASE}${singlesPath}/${id}`;
    if (query.wait === undefined) {
      const started = await startSingle(order, call);
      reply.header('location', placeOf(started));
      return withoutDetail(started);
    }
    const single = await startAndWait(order, call, query.wait, reply);
    if (single.status === 'COMPLETE') reply.code(200);
    else reply.code(202).header('location', placeOf(single)).header('retry-after', lookAgainSeconds);
    return single;
  });

  async function readSingle(ownerId: AccountId, id: string): Promise<SingleValidationDetail> {
    const single = await findSingle({ ownerId, validationId: id });
    if (!single) throw new AppError('not_found', { validationId: id });
    const [answer] = await answerSingles(parts, [single]);
    return singleDetailAnswer(single, answer);
  }

  async function startAndWait(
    order: NewSingle,
    call: IdempotentCall | null,
    seconds: number,
    reply: FastifyReply,
  ): Promise<SingleValidationDetail> {
    const { ownerId } = order;
    const started = await waitFor({ ownerId, id: order.id, seconds, reply }, async (over) => {
      const { id, status } = await startSingle(order, call);
      if (id !== order.id) return { id };
      if (status !== 'COMPLETE') await over;
      return readSingle(ownerId, id);
    });
    if ('status' in started) return started;
    // An earlier call with the same key started the check, which may be complete.
    return waitFor({ ownerId, id: started.id, seconds, reply }, async (over) => {
      const single = await readSingle(ownerId, started.id);
      if (single.status === 'COMPLETE') return single;
      await over;
      return readSingle(ownerId, started.id);
    });
  }

  /** Waits for the verdict of a check from before `work` begins, so that its end cannot come between. */
  async function waitFor<Result>(
    { ownerId, id, seconds, reply }: { ownerId: AccountId; id: string; seconds: number; reply: FastifyReply },
    work: (over: Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const leave = slots.tryTake(ownerId);
    const forMs = leave ? seconds * 1_000 : 0;
    const wait = waits.begin(id, { forMs, gone: clientSignal(reply) });
    try {
      return await work(wait.over);
    } finally {
      wait.end();
      leave?.();
    }
  }
}
