import { slack } from '../outcome.ts';

/** What `03/04/2026` means. */
export type DayOrder = 'day_first' | 'month_first';

/** A moment as somebody wrote it, and by how much the true one may differ. */
export interface WrittenMoment {
  readonly at: Date;
  readonly slackSeconds: number;
}

const zone = String.raw`(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?: [A-Z]{3,5})?`;
const time = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?`;
const behindDate = `(?:[T,]? *${time} *(?:${zone})?)?`;
const isoShape = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${behindDate}$`, 'i');
const slashedShape = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})([-/.])(\d{4})${behindDate}$`, 'i');
/** `Fri, 20 Nov 2026 09:30:00 +0000 (UTC)`, `20 November 2026`, `Nov 20, 2026 9:30 AM`. */
const namedShape =
  /^(?:[a-z]{3,9},? +)?(?:(\d{1,2})[ -]([a-z]{3,9})\.?[-, ]+|([a-z]{3,9})\.? (\d{1,2}),? +)(\d{4})(.*)$/i;
const timeShape = new RegExp(`^${behindDate}$`, 'i');
const unixShape = /^(?:\d{10}(?:\.\d{1,9})?|\d{13})$/;
const longestMoment = 60;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads a date, with or without a time. A time without its zone may be that of any zone, so that half a day is uncertain.
 * Undefined if it is none, `ambiguous` if it may be two days and the order of its parts is not known.
 */
export function readMoment(written: string, order?: DayOrder): WrittenMoment | 'ambiguous' | undefined {
  const text = written.trim();
  if (text.length > longestMoment) return undefined;
  if (unixShape.test(text)) {
    const at = new Date(/^\d{13}$/.test(text) ? Number(text) : Number(text) * 1_000);
    return { at, slackSeconds: 0 };
  }
  const iso = isoShape.exec(text);
  if (iso) return momentOf([iso[1], iso[2], iso[3]], iso.slice(4));
  const slashed = slashedShape.exec(text);
  if (slashed) {
    const [, first, sign, second, otherSign, year, ...rest] = slashed;
    if (sign !== otherSign) return undefined;
    const known = sign === '.' ? 'day_first' : (orderOf(first, second) ?? order);
    if (known === undefined) return first === second ? momentOf([year, first, second], rest) : 'ambiguous';
    return momentOf(known === 'day_first' ? [year, second, first] : [year, first, second], rest);
  }
  const named = namedShape.exec(text);
  // The name of the zone may stand behind it in brackets.
  const rest = named && timeShape.exec((named[6]?.split('(', 1)[0] ?? '').trim());
  if (!named || !rest) return undefined;
  const month = months.indexOf((named[2] ?? named[3] ?? '').slice(0, 3).toLowerCase()) + 1;
  return momentOf([named[5], String(month), named[1] ?? named[4]], rest.slice(1));
}

/** In which order a column writes day and month: as its dates beyond the 12th show; undefined if none does, or both. */
export function dayOrderOf(column: Iterable<string>): DayOrder | undefined {
  const orders = new Set<DayOrder>();
  for (const text of column) {
    const slashed = text.length <= longestMoment ? slashedShape.exec(text.trim()) : null;
    const order = slashed && slashed[2] !== '.' ? orderOf(slashed[1], slashed[3]) : undefined;
    if (order) orders.add(order);
  }
  return orders.size === 1 ? [...orders][0] : undefined;
}

const monthMax = 12;

function orderOf(first = '', second = ''): DayOrder | undefined {
  if (Number(first) > monthMax) return 'day_first';
  return Number(second) > monthMax ? 'month_first' : undefined;
}

type Part = string | undefined;

function momentOf(
  [year, month, day]: readonly [Part, Part, Part],
  [hours, minutes, seconds, half, offset]: readonly Part[],
): WrittenMoment | undefined {
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const midnight = Date.UTC(date.year, date.month - 1, date.day);
  const read = new Date(midnight);
  // A 30th of February would become a day of March.
  if (read.getUTCMonth() !== date.month - 1 || read.getUTCDate() !== date.day) return undefined;
  if (hours === undefined) return { at: new Date(midnight + noonMs), slackSeconds: slack.day };
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  const isTime = hour < 24 && Number(minutes) < 60 && Number(seconds ?? 0) < 61;
  if (!isTime) return undefined;
  const local = midnight + ((hour * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1_000;
  if (offset === undefined) return { at: new Date(local), slackSeconds: slack.day };
  return {
    at: new Date(local - offsetMs(offset)),
    slackSeconds: seconds === undefined ? slack.minute : 0,
  };
}

const noonMs = 43_200_000;

function offsetMs(offset: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
