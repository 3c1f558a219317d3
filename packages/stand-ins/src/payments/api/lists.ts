import { invalidRequest, missingResource } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { List } from '../wire.ts';

const limitDefault = 10;
const limitMax = 100;

/** A page of a list whose newest element comes first. */
export function listPage<T extends { id: string }>(
  params: Params,
  { url, newestFirst }: { url: string; newestFirst: readonly T[] },
): List<T> {
  const limit = params.integer('limit') ?? limitDefault;
  if (limit < 1 || limit > limitMax) {
    throw invalidRequest(`Invalid limit: must be between 1 and ${limitMax}`, { param: 'limit' });
  }
  const after = params.text('starting_after');
  const before = params.text('ending_before');
  if (after !== undefined && before !== undefined) {
    throw invalidRequest('You can only use one of starting_after and ending_before.', {
      param: 'ending_before',
    });
  }

  if (before !== undefined) {
    const end = indexOf(newestFirst, before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: newestFirst.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : indexOf(newestFirst, after, 'starting_after') + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < newestFirst.length, url };
}

function indexOf(elements: readonly { id: string }[], id: string, param: string): number {
  const index = elements.findIndex((element) => element.id === id);
  if (index < 0) throw missingResource('object', id, param);
  return index;
}

/** The filter that `created` asks for: a moment, or a range of `gt`, `gte`, `lt` and `lte`. */
export function createdFilter(params: Params): (element: { created: number }) => boolean {
  if (!params.has('created')) return () => true;
  const range = readRange(params);
  return ({ created }) =>
    (range.gt === undefined || created > range.gt) &&
    (range.gte === undefined || created >= range.gte) &&
    (range.lt === undefined || created < range.lt) &&
    (range.lte === undefined || created <= range.lte);
}

function readRange(params: Params): { gt?: number; gte?: number; lt?: number; lte?: number } {
  if (params.isText('created')) {
    const moment = params.integer('created');
    return moment === undefined ? {} : { gte: moment, lte: moment };
  }
  const range = params.object('created');
  const bounds: { gt?: number; gte?: number; lt?: number; lte?: number } = {};
  for (const name of ['gt', 'gte', 'lt', 'lte'] as const) {
    const moment = range?.integer(name);
    if (moment !== undefined) bounds[name] = moment;
  }
  return bounds;
}

/** Those whose field has the value that was asked for, or all when none was. */
export const matching =
  <T, Field extends keyof T>(field: Field, wanted: T[Field] | undefined) =>
  (element: T): boolean =>
    wanted === undefined || element[field] === wanted;
