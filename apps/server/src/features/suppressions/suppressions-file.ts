// Reads files of suppressions on a reading thread, so this must not load the database.
import { SUPPRESSION_LIMITS, SUPPRESSION_REASONS, type SuppressionReason } from '@assay/contract';
import type { FileEncoding } from '../../platform/csv/file-encoding.ts';
import { restoreFormula } from '../../platform/csv/formulas.ts';
import { openTable } from '../../platform/csv/open-table.ts';
import { decodeText } from '../../platform/csv/read-rows.ts';
import { defineReadJob } from '../../platform/reading/read-job.ts';
import { RefusedFile, refuseFile } from '../uploads/reading.ts';
import { entryPages } from './entry-pages.ts';
import { notReadable, readTarget } from './target.ts';

interface FileEntry {
  readonly target: string;
  readonly reason: SuppressionReason;
  readonly endsAt: string | null;
}

interface FileProblem {
  /** In the file, from 1, without blank lines. */
  readonly row: number;
  readonly target: string;
  readonly problem: string;
}

interface ReadProblems {
  readonly problemCount: number;
  /** The first of them. */
  readonly problems: readonly FileProblem[];
}

const problemsNamedMax = 20;
const targetShownMax = 100;
const targetHeader = /^(target|e-?mail|e-?mail[ _-]?address|address|domain|recipient)$/i;
const dateShape = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads addresses and domains from a column named `target`, `email`, `address` or `domain`, or from the first one, with the columns
 * `reason` and `end_date` where the file has them. So an export can be imported. Writes pages of entries.
 */
export const readSuppressionsJob = defineReadJob(
  import.meta.url,
  'readSuppressionsJob',
  async ({ bytes, write }, { encoding }: { readonly encoding: FileEncoding }): Promise<ReadProblems> => {
    try {
      const { entries, ...problems } = await read(decodeText(bytes, encoding));
      for (const page of entryPages(entries)) await write(Buffer.from(page));
      return problems;
    } catch (error) {
      refuseFile(error);
    }
  },
);

async function read(text: AsyncGenerator<string>): Promise<ReadProblems & { entries: FileEntry[] }> {
  const table = await openTable(text);
  if (table.sample.length === 0) throw new RefusedFile({ problem: 'file_empty' });
  const entries: FileEntry[] = [];
  const problems: FileProblem[] = [];
  let problemCount = 0;
  let columns: Columns | undefined;
  let row = 0;
  for await (const batch of table.rows) {
    for (const cells of batch) {
      row += 1;
      if (row > SUPPRESSION_LIMITS.importRows + 1)
        throw new RefusedFile({ problem: 'file_too_many_rows', rowsMax: SUPPRESSION_LIMITS.importRows });
      const isHeader = columns === undefined && cells.some((cell) => targetHeader.test(cell.trim()));
      columns ??= columnsOf(isHeader ? cells : []);
      if (isHeader) continue;
      const entry = readEntry(cells, columns);
      if (typeof entry !== 'string') entries.push(entry);
      else {
        problemCount += 1;
        const target = cellAt(cells, columns.target).slice(0, targetShownMax);
        if (problems.length < problemsNamedMax) problems.push({ row, target, problem: entry });
      }
    }
  }
  return { entries, problemCount, problems };
}

interface Columns {
  readonly target: number;
  readonly reason: number;
  readonly end: number;
}

function columnsOf(header: readonly string[]): Columns {
  const names = header.map((cell) => cell.trim().toLowerCase());
  return {
    target: Math.max(
      0,
      names.findIndex((name) => targetHeader.test(name)),
    ),
    reason: names.indexOf('reason'),
    end: names.indexOf('end_date'),
  };
}

const cellAt = (cells: readonly string[], column: number): string =>
  restoreFormula(cells[column] ?? '').trim();

/** The entry of a row, or what is wrong with it. */
function readEntry(cells: readonly string[], columns: Columns): FileEntry | string {
  const target = readTarget(cellAt(cells, columns.target));
  if (target === null) return notReadable;
  const endDate = cellAt(cells, columns.end);
  const isDate = dateShape.test(endDate) && !Number.isNaN(Date.parse(endDate));
  if (endDate !== '' && !isDate) return 'The end is no date such as 2027-01-31.';
  const word = cellAt(cells, columns.reason);
  const reason = SUPPRESSION_REASONS.find((known) => known === word) ?? 'added';
  return { target, reason, endsAt: endDate === '' ? null : new Date(endDate).toISOString() };
}
