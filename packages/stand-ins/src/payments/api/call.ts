import { invalidRequest, missingResource } from '../errors.ts';
import type { Params } from '../http/params.ts';
import { type List, listOf } from '../objects.ts';
import type { Kind, Tables } from '../store/tables.ts';
import { getObject, type World } from '../world.ts';

/** One call of the API. `ids` are the parts of the path that vary, in order. */
export interface ApiCall {
  world: World;
  params: Params;
  path: string;
  ids: readonly string[];
}

/** Answers an object of the API. An error that it throws undoes everything it did; one that it returns does not. */
type Handler = (call: ApiCall) => object;

/** Handlers by method and path, such as `POST /v1/customers/:id`. */
export type Routes = Record<string, Handler>;

export const idOf = (call: ApiCall): string => call.ids[0] ?? '';

export const retrieving =
  (kind: Exclude<Kind, 'customer'>): Handler =>
  (call) =>
    getObject(call.world, kind, idOf(call));

/** Lists objects whose fields have the values that the call names; `created` is the earliest moment. */
export const listing =
  <K extends Kind>(kind: K, ...fields: string[]) =>
  (call: ApiCall): List<Tables[K]> => {
    const { world, params } = call;
    const since = fields.includes('created') ? params.object('created')?.integer('gte') : undefined;
    const wanted = fields.flatMap((field) => {
      const value = field === 'created' ? undefined : params.text(field);
      return value === undefined ? [] : [[field, value] as const];
    });
    const found = world.store.all(kind).filter((object) => {
      const values = object as unknown as Record<string, unknown>;
      return (
        !('deleted' in values) &&
        wanted.every(([field, value]) => String(values[field]) === value) &&
        (since === undefined || Number(values.created) >= since)
      );
    });
    return listPage(call, found);
  };

const limitDefault = 10;
const limitMax = 100;

/** A page of a list, newest first. `elements` come oldest first, as the store has them. */
export function listPage<T extends { id: string }>({ params, path }: ApiCall, elements: T[]): List<T> {
  const limit = params.integer('limit') ?? limitDefault;
  if (limit < 1 || limit > limitMax) {
    throw invalidRequest(`Invalid limit: must be between 1 and ${limitMax}`, { param: 'limit' });
  }
  const newestFirst = elements.toReversed();
  const after = params.text('starting_after');
  const start = newestFirst.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw missingResource('object', after, 'starting_after');
  return listOf(newestFirst.slice(start, start + limit), path, start + limit < newestFirst.length);
}
