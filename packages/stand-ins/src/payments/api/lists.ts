import { invalidRequest, missingResource } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { List } from '../wire.ts';

const limitDefault = 10;
const limitMax = 100;

/** A page of a list, newest first. `elements` come oldest first, as the store has them. */
export function listPage<T extends { id: string }>(
  params: Params,
  url: string,
  elements: readonly T[],
): List<T> {
  const limit = params.integer('limit') ?? limitDefault;
  if (limit < 1 || limit > limitMax) {
    throw invalidRequest(`Invalid limit: must be between 1 and ${limitMax}`, { param: 'limit' });
  }
  const newestFirst = elements.toReversed();
  const after = params.text('starting_after');
  const index = newestFirst.findIndex(({ id }) => id === after);
  if (after !== undefined && index < 0) throw missingResource('object', after, 'starting_after');
  const start = index + 1;
  return {
    object: 'list',
    data: newestFirst.slice(start, start + limit),
    has_more: start + limit < newestFirst.length,
    url,
  };
}

/** Those whose field has the value that was asked for, or all when none was. */
export const matching =
  <T, Field extends keyof T>(field: Field, wanted: T[Field] | undefined) =>
  (element: T): boolean =>
    wanted === undefined || element[field] === wanted;
