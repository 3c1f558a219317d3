import { BadRequestError } from './errors.ts';

type QueryValue = string | number | boolean | Date | null | undefined;
export type QueryRecord = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** The URL of one call, with parameters and query. */
export function requestUrl(
  baseUrl: string,
  path: string,
  { params = {}, query = {} }: { params?: Readonly<Record<string, unknown>>; query?: QueryRecord },
): string {
  const search = serialiseQuery(query);
  return `${withoutEndSlashes(baseUrl)}${fillPath(path, params)}${search === '' ? '' : `?${search}`}`;
}

function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/:([A-Za-z_]\w*)/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // URL parsers remove an empty or dotted segment, and the call would reach another route.
    if (value === '' || value === '.' || value === '..') {
      throw new BadRequestError({ message: `${name} cannot be '${value}'` });
    }
    return encodeURIComponent(value);
  });
}

/** Lists repeat their name; undefined values are left out. */
export function serialiseQuery(query: QueryRecord): string {
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value !== undefined && value !== null) search.append(name, textOf(value));
    }
  }
  return search.toString();
}

const textOf = (value: NonNullable<QueryValue>): string =>
  value instanceof Date ? isoWithOffset(value) : String(value);

/**
 * ISO 8601 in the local time zone: the offset tells the server which days and months the caller means. UTC
 * would hide that.
 */
export function isoWithOffset(date: Date, offsetMinutes: number = -date.getTimezoneOffset()): string {
  const wallClock = new Date(date.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1);
  const sign = offsetMinutes < 0 ? '-' : '+';
  const hours = Math.floor(Math.abs(offsetMinutes) / 60);
  const minutes = Math.abs(offsetMinutes) % 60;
  return `${wallClock}${sign}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
