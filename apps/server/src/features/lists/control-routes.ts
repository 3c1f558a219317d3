import { CONTROL_ACTIONS, type ControlRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../../platform/errors/index.ts';
import { registerRoute } from '../../platform/http/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { AttemptParts } from '../../platform/limits/index.ts';
import { limitRestarts } from './limit-restarts.ts';
import type { ControlParts } from './list-control.ts';
import type { ListHead } from './list-kind.ts';
import { placeOf } from './list-place.ts';
import type { ListWaits } from './list-waits.store.ts';
import type { Lists } from './lists.ts';

type RenameRoute<Schema extends z.ZodMiniType> = Omit<ControlRoutes<Schema>['renameList'], 'body'> & {
  readonly body: z.ZodMiniType<{ readonly name: string; readonly id?: string | undefined }>;
};

interface AnsweredKind<Row extends ListHead, Outcome extends string, Schema extends z.ZodMiniType> {
  /** Verifying a list again differs between kinds, so each registers it itself. */
  readonly routes: Omit<ControlRoutes<Schema>, 'renameList' | 'reverifyList'> & {
    readonly renameList: RenameRoute<Schema>;
  };
  readonly lists: Lists<Row, Outcome>;
  /** Without `waits` for a list of which no row can wait for a mail host. */
  readonly answerOf: (list: Row, waits?: ListWaits) => z.output<Schema>;
}

/** The calls on lists that every kind answers in the same way. */
export function registerControlRoutes<
  Row extends ListHead,
  Outcome extends string,
  Schema extends z.ZodMiniType,
>(
  app: FastifyInstance,
  parts: ControlParts & AttemptParts,
  { routes, lists: { answers, control }, answerOf }: AnsweredKind<Row, Outcome, Schema>,
): void {
  const { db, clock } = parts;
  const answerAll = async (ownerId: AccountId, lists: readonly Row[]) => {
    const waitsOf = await answers.findWaits(db, ownerId, lists, clock.now());
    return lists.map((list) => answerOf(list, waitsOf(list)));
  };
  const answerNow = async ({ accountId }: { readonly accountId: AccountId }, list: Row) =>
    (await answerAll(accountId, [list]))[0] as z.output<Schema>;
  registerRoute(app, routes.listLists, async ({ caller, query }) => {
    const isSandboxOnly = caller.key?.grant?.isTest;
    const { rows, total } = await answers.findPage(db, caller.accountId, { ...query, isSandboxOnly });
    return { results: await answerAll(caller.accountId, rows), total };
  });
  registerRoute(app, routes.getList, async ({ caller, params }) =>
    answerNow(caller, await answers.require(db, placeOf(caller, params))),
  );
  registerRoute(app, routes.renameList, async ({ caller, params, body }) => {
    refuseOtherId(params.list_id, body.id);
    return answerNow(caller, await control.rename(db, placeOf(caller, params), body.name));
  });
  for (const action of CONTROL_ACTIONS) {
    const route = routes[`${action}List`];
    registerRoute(app, route, async ({ caller, params }) => {
      if ('startsWork' in route) await limitRestarts(parts, caller.accountId);
      return answerNow(caller, await control[action](parts, placeOf(caller, params)));
    });
  }
  registerRoute(app, routes.deleteList, async ({ caller, params }) => {
    await control.delete(parts, caller, params.list_id);
    return null;
  });
}

/** The path names the list. Another id in the body is a mistake, so nothing is renamed. */
function refuseOtherId(listId: string, id: string | undefined): void {
  if (id === undefined || id === listId) return;
  const text = 'id is not that of the list in the address. Send the same id in both, or leave id out.';
  throw new AppError('invalid_request', { listId, id }, { text, meta: { field: 'id' } });
}
