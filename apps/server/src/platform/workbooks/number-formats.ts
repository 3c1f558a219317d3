import type { Readable } from 'node:stream';
import { readWholeXml } from './read-xml.ts';

/** How a number appears in its cell. */
export type NumberLook =
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean }
  | { readonly kind: 'fixed'; readonly decimals: number; readonly isPercent: boolean };

/** The looks of the styles that cells refer to by number; undefined is a plain number. */
export type CellLooks = readonly (NumberLook | undefined)[];

const stylesMax = 65_536;
const formatLengthMax = 255;
const decimalsMax = 30;

// The formats that every workbook has without naming them (ECMA-376 part 1, §18.8.30).
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  45: 'mm:ss',
  46: 'h:mm:ss',
  47: 'mm:ss',
};

export async function readCellLooks(xml: Readable): Promise<CellLooks> {
  const formats = new Map<number, string>();
  const looks: (NumberLook | undefined)[] = [];
  let isCellStyles = false;
  await readWholeXml(xml, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'cellXfs') isCellStyles = true;
      else if (name === 'numFmt' && formats.size < stylesMax) formats.set(Number(numFmtId), formatCode);
      else if (name === 'xf' && isCellStyles && looks.length < stylesMax) {
        const id = Number(numFmtId);
        looks.push(lookOf(formats.get(id) ?? builtIn[id] ?? ''));
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyles = false;
    },
    text: () => undefined,
  });
  return looks;
}

/** What a format makes of a positive number, without its literal text and colours. */
function lookOf(format: string): NumberLook | undefined {
  const [positive = ''] = format
    .slice(0, formatLengthMax)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    // Colours and countries; but [h] is a number of hours.
    .replace(/\[[^[\]]*\]/g, (bracket) => (/^\[[hms]/i.test(bracket) ? bracket : ''))
    .split(';');
  if (/general/i.test(positive)) return undefined;
  const hasDate = /[yd]/i.test(positive) || (/m/i.test(positive) && !/[hs]/i.test(positive));
  const hasTime = /[hs]/i.test(positive);
  if (hasDate || hasTime) return { kind: 'date', hasDate, hasTime };
  const isPercent = positive.includes('%');
  const decimals = /0\.(0+)/.exec(positive)?.[1]?.length ?? 0;
  const isFixed = /[0#]/.test(positive) && !/[e?/]/i.test(positive);
  return isFixed && (isPercent || positive.includes('0'))
    ? { kind: 'fixed', decimals: Math.min(decimals, decimalsMax), isPercent }
    : undefined;
}

const dayMs = 86_400_000;
/** Excel counts days from 1900 as if that had been a leap year, or from 1904. */
const epochs = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) };
const feigned1900LeapDay = 60;
const serialMax = 2_958_466;

export interface DateSystem {
  readonly isFrom1904: boolean;
}

/** A number as people see it in its cell. Dates are written as ISO 8601, which no country reads differently. */
export function formatNumber(written: string, look: NumberLook | undefined, dates: DateSystem): string {
  const value = Number(written);
  if (written.trim() === '' || !Number.isFinite(value)) return written;
  if (look?.kind === 'date' && value >= 0 && value < serialMax) return formatDate(value, look, dates);
  if (look?.kind === 'fixed' && Math.abs(value) < 1e15)
    return look.isPercent ? `${(value * 100).toFixed(look.decimals)}%` : value.toFixed(look.decimals);
  // Excel keeps 15 digits; the file may hold the 17 of the processor.
  const rounded = Number(value.toPrecision(15));
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e21 ? BigInt(rounded).toString() : String(rounded);
}

function formatDate(
  serial: number,
  { hasDate, hasTime }: { readonly hasDate: boolean; readonly hasTime: boolean },
  { isFrom1904 }: DateSystem,
): string {
  const days = !isFrom1904 && serial < feigned1900LeapDay ? serial + 1 : serial;
  const epoch = isFrom1904 ? epochs.from1904 : epochs.from1900;
  // To the second, since a fraction of a day is never exact.
  const date = new Date(epoch + Math.round((days * dayMs) / 1_000) * 1_000);
  const [day, time] = date.toISOString().slice(0, 19).split('T') as [string, string];
  if (!hasTime) return day;
  return hasDate ? `${day} ${time}` : time;
}
