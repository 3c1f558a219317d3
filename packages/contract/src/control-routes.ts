import * as z from 'zod/mini';
import { listParams, listsQuerySchema } from './bulk.ts';
import { nothingSchema } from './fields.ts';
import { listNameSchema } from './input/list-name.ts';
import type { KeyScope } from './names/key-scopes.ts';
import { pageOf } from './paging.ts';
import { defineRoute } from './route.ts';

interface Kind<List extends z.ZodMiniType> {
  readonly base: `/${string}`;
  readonly tag: string;
  readonly schema: List;
  readonly isBehindFlag: boolean;
  /** What scoped API keys need to read a list, to change it and to pay for another one. */
  readonly keyScopes: { readonly read: KeyScope; readonly manage: KeyScope; readonly start: KeyScope };
  /** For the summaries: `a list of people`, and what its rows are. */
  readonly list: string;
  readonly rows: string;
}

/** What changes the run of a list: each is a call of every kind of list, `pauseList` and so on, that answers the list. */
export const CONTROL_ACTIONS = ['pause', 'resume', 'finish'] as const;
export type ControlAction = (typeof CONTROL_ACTIONS)[number];

export const renameFields = { name: listNameSchema };

/** The calls on lists that every kind of list has. */
export function controlRoutes<List extends z.ZodMiniType>(kind: Kind<List>) {
  const { base, tag, isBehindFlag, keyScopes, schema, list, rows } = kind;
  const common = { auth: 'user_or_key', tag, isBehindFlag, params: listParams } as const;
  const at = (action: string): `/${string}/:list_id${string}` => `${base}/lists/:list_id${action}`;
  const changed = { isRepeatable: true, success: { status: 200, schema } } as const;
  return {
    listLists: defineRoute({
      method: 'GET',
      path: `${base}/lists`,
      auth: 'user_or_key',
      leastRole: 'viewer',
      keyScope: keyScopes.read,
      tag,
      isBehindFlag,
      summary: `List ${list.replace(/^a list/, 'the lists')}, newest first unless sorted otherwise`,
      query: listsQuerySchema,
      success: { status: 200, schema: pageOf(schema) },
    }),
    renameList: defineRoute({
      method: 'PUT',
      path: at(''),
      ...common,
      leastRole: 'member',
      keyScope: keyScopes.manage,
      summary: `Rename ${list}`,
      body: z.strictObject(renameFields),
      success: { status: 200, schema },
    }),
    getList: defineRoute({
      method: 'GET',
      path: at(''),
      ...common,
      leastRole: 'viewer',
      keyScope: keyScopes.read,
      summary: `Get ${list.replace(/^a /, 'one ')}`,
      success: { status: 200, schema },
    }),
    deleteList: defineRoute({
      method: 'DELETE',
      path: at(''),
      ...common,
      leastRole: 'member',
      keyScope: keyScopes.manage,
      summary: `Delete ${list}; a running list is stopped and settled`,
      success: { status: 204, schema: nothingSchema },
    }),
    pauseList: defineRoute({
      method: 'POST',
      path: at('/pause'),
      ...common,
      leastRole: 'member',
      keyScope: keyScopes.manage,
      ...changed,
      summary: `Pause ${list}: no further row is checked; after 30 days it is finished`,
    }),
    resumeList: defineRoute({
      method: 'POST',
      path: at('/resume'),
      ...common,
      leastRole: 'member',
      startsWork: true,
      keyScope: keyScopes.manage,
      ...changed,
      summary: `Resume ${list.replace(/^a /, 'a paused ')}`,
    }),
    finishList: defineRoute({
      method: 'POST',
      path: at('/finish'),
      ...common,
      leastRole: 'member',
      keyScope: keyScopes.manage,
      ...changed,
      summary: `Finish ${list} now: rows without a result become UNKNOWN and cost nothing`,
    }),
    reverifyList: defineRoute({
      method: 'POST',
      path: at('/reverify'),
      ...common,
      leastRole: 'member',
      keyScope: keyScopes.start,
      takesIdempotencyKey: true,
      summary: `Verify the unknown ${rows} of a complete list again, as a new list`,
      success: { status: 201, schema },
    }),
  };
}

export type ControlRoutes<List extends z.ZodMiniType> = ReturnType<typeof controlRoutes<List>>;
