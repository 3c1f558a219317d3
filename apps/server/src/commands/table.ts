import type { Db } from '../platform/database/database.ts';
import { type CommandRun, refuseWords, withDatabase } from './command.ts';

type Cell = string | number | boolean | Date | readonly string[] | null;

/** Prints records of the database as a table. */
export const printTable = async (
  command: CommandRun,
  textWhenEmpty: string,
  find: (db: Db) => Promise<readonly Readonly<Record<string, Cell>>[]>,
): Promise<number> => {
  refuseWords(command);
  return withDatabase(command, async (db) => {
    const records = await find(db);
    command.print(records, formatTable(records, textWhenEmpty));
    return 0;
  });
};

/** Records as a table for people, each column as wide as its longest cell. The fields' names are the headings. */
export function formatTable(
  records: readonly Readonly<Record<string, Cell>>[],
  textWhenEmpty: string,
): string {
  const [first] = records;
  if (!first) return `${textWhenEmpty}\n`;
  return alignColumns([
    Object.keys(first).map(headingOf),
    ...records.map((record) => Object.values(record).map(textOf)),
  ]);
}

/** The fields of one record, each on its own line. */
export const formatRecord = (record: Readonly<Record<string, Cell>>): string =>
  alignColumns(Object.entries(record).map(([name, value]) => [headingOf(name), textOf(value)]));

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

const headingOf = (name: string): string => name.replaceAll('_', ' ');

function textOf(value: Cell): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date) return value.toISOString();
  return printable(Array.isArray(value) ? value.join('; ') : String(value));
}

/** Puts text on one line and removes control characters: terminals obey them, and strangers wrote some of these texts. */
const printable = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
