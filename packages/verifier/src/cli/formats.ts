import { UsageError } from './io.ts';

/** One line of output: names to values, in the order they are shown. */
export type Row = Record<string, unknown>;

/** How rows become text. */
export interface Format {
  head(columns: readonly string[]): string;
  row(row: Row, isFirst: boolean): string;
  tail(count: number): string;
}

export const formatNames = ['table', 'json', 'jsonl', 'csv'] as const;

const tableWidths: Record<string, number> = { result: 10, email: 40, reply: 60, reason: 26 };

export function formatNamed(name: string): Format {
  switch (name) {
    case 'table':
      return { head: () => '', row: tableRow, tail: () => '' };
    case 'json':
      return {
        head: () => '[',
        row: (row, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(row)}`,
        tail: (count) => (count === 0 ? ']\n' : '\n]\n'),
      };
    case 'jsonl':
      return { head: () => '', row: (row) => `${JSON.stringify(row)}\n`, tail: () => '' };
    case 'csv':
      return { head: (columns) => `${columns.join(',')}\n`, row: csvRow, tail: () => '' };
    default:
      throw new UsageError(`--format "${name}" is not one of ${formatNames.join(', ')}`);
  }
}

/** Result first, because it is what the eye looks for; then what was asked, then why. */
function tableRow(row: Row): string {
  const subject = 'email' in row ? 'email' : 'reply';
  const main = ['result', subject, 'reason'].map((name) => String(row[name]).padEnd(tableWidths[name] ?? 0));
  const notes = Array.isArray(row.flags) ? row.flags.map((flag) => String(flag).replace('_', ' ')) : [];
  if (row.did_you_mean !== undefined) notes.push(`did you mean ${row.did_you_mean}?`);
  const line = `${[...main, notes.join(', ')].join(' ').trimEnd()}\n`;
  return Array.isArray(row.evidence) ? line + row.evidence.map(evidenceLine).join('') : line;
}

function evidenceLine(stage: Record<string, unknown>): string {
  const where = [stage.host, stage.ip && `[${stage.ip}]`].filter(Boolean).join(' ');
  const said = stage.reply ?? stage.note ?? '';
  const took = stage.ms === undefined ? '' : `(${stage.ms} ms)`;
  return `           ${String(stage.stage).padEnd(9)}${[where, said, took].filter(Boolean).join('  ')}\n`;
}

const csvRow = (row: Row): string => `${Object.values(row).map(csvCell).join(',')}\n`;

function csvCell(value: unknown): string {
  const text = textOf(value);
  // A cell that begins like a formula would be run by a spreadsheet.
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Names are listed with spaces; anything deeper is JSON. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
