import { onOneLine } from '../evidence.ts';
import { UsageError } from './io.ts';
import { formatNames } from './usages.ts';

/** What was found of one address, reply or mail: names to values, in the order they are shown. */
export type Row = Readonly<Record<string, unknown>>;

/** How findings become text. */
export interface Format {
  head(columns: readonly string[]): string;
  /** @param asked the address, the reply or the file that it is about */
  row(asked: string, found: Row, isFirst: boolean): string;
  tail(count: number): string;
}

/** @param subject what the column of addresses, replies or files is called */
export function formatNamed(name: string, subject: keyof typeof subjectWidths): Format {
  switch (name) {
    case 'table':
      return { head: () => '', row: tableRowFor(subject), tail: () => '' };
    case 'json': {
      const jsonRow = jsonRowFor(subject);
      return {
        head: () => '[',
        row: (asked, found, isFirst) => `${isFirst ? '' : ','}\n${jsonRow(asked, found)}`,
        tail: (count) => (count === 0 ? ']\n' : '\n]\n'),
      };
    }
    case 'jsonl': {
      const jsonRow = jsonRowFor(subject);
      return { head: () => '', row: (asked, found) => `${jsonRow(asked, found)}\n`, tail: () => '' };
    }
    case 'csv':
      return { head: (columns) => `${columns.join(',')}\n`, row: csvRow, tail: () => '' };
    default:
      throw new UsageError(`--format "${name}" is not one of ${formatNames.join(', ')}`);
  }
}

/** A finding that comes again as the same object, as most of a long list do, is put into words once. */
function jsonRowFor(subject: string): (asked: string, found: Row) => string {
  const known = new WeakMap<Row, string>();
  return (asked, found) => {
    let rest = known.get(found);
    if (rest === undefined) {
      rest = JSON.stringify(found).slice(1);
      known.set(found, rest);
    }
    return `{"${subject}":${JSON.stringify(asked)},${rest}`;
  };
}

const subjectWidths = { email: 40, reply: 60, file: 40 };

/** Result first, because it is what the eye looks for; then what was asked, then why. */
const tableRowFor =
  (subject: keyof typeof subjectWidths) =>
  (asked: string, found: Row): string => {
    const { result, class: bounceClass, reason, flags, did_you_mean: didYouMean, evidence } = found;
    const first = String(result ?? bounceClass);
    const main = [first.padEnd(10), asked.padEnd(subjectWidths[subject]), String(reason).padEnd(26)];
    const notes = Array.isArray(flags) ? flags.map((flag) => String(flag).replace('_', ' ')) : [];
    if (found.action !== undefined) notes.push([found.recipient, found.action].filter(Boolean).join(' '));
    if (didYouMean !== undefined) notes.push(`did you mean ${didYouMean}?`);
    const line = `${[...main, notes.join(', ')].join(' ').trimEnd()}\n`;
    return Array.isArray(evidence) ? line + evidence.map(evidenceLine).join('') : line;
  };

function evidenceLine(stage: Record<string, unknown>): string {
  const where = [stage.host, stage.ip && `[${stage.ip}]`].filter(Boolean).join(' ');
  const said = onOneLine(String(stage.reply ?? stage.note ?? ''));
  const took = stage.ms === undefined ? '' : `(${stage.ms} ms)`;
  return `           ${String(stage.stage).padEnd(9)}${[where, said, took].filter(Boolean).join('  ')}\n`;
}

const csvRow = (asked: string, found: Row): string =>
  `${[asked, ...Object.values(found)].map(csvCell).join(',')}\n`;

function csvCell(value: unknown): string {
  const text = textOf(value);
  // A cell that begins like a formula would be run by a spreadsheet.
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Names are listed with spaces; anything deeper is JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
