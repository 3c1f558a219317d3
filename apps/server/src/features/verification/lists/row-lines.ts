// The rows of a file as lines for COPY, made on a reading thread, so this must load neither the database nor the engine.
import { formatRow } from '../../../platform/csv/write-rows.ts';
import { defineReadJob } from '../../../platform/reading/read-job.ts';
import type { ListPlace } from '../../lists/index.ts';
import { ForeignResult } from '../../uploads/reading.ts';
import type { FileRow } from '../files/classify-rows.ts';
import { readTableRows, type TextReading } from '../files/email-file.ts';
import { ChunkPlan, chunkLength } from '../rows/chunk-plan.ts';
import { type TableFacts, TableNotes } from './table-notes.ts';

export interface RowOrder {
  readonly place: ListPlace;
  readonly reading: TextReading;
  readonly withHeaders: boolean;
  readonly emailsMax: number;
}

export interface WrittenRows extends TableFacts {
  readonly kind: 'written';
  readonly totalEmails: number;
  readonly chunkCount: number;
  readonly hasRealDomain: boolean;
  readonly chunkLines: Uint8Array;
}

/** Writes the rows of a stored file in PostgreSQL's text format for COPY. */
export const rowLinesJob = defineReadJob(
  import.meta.url,
  'rowLinesJob',
  async (
    { bytes, write },
    { place, reading, withHeaders, emailsMax }: RowOrder,
  ): Promise<WrittenRows | { readonly kind: 'foreign result' }> => {
    const { rows, emailColumn } = readTableRows(bytes, reading, { withHeaders });
    const plan = new ChunkPlan(emailsMax);
    const table = new TableNotes(emailColumn);
    const { delimiter } = reading.dialect;
    const hasSuppressed = reading.suppressedHashes !== null;
    try {
      for await (const batch of rows) {
        const lines = rowLines(place, batch, { delimiter, withHeaders, hasSuppressed, plan, table });
        if (lines !== '') await write(Buffer.from(lines));
      }
    } catch (error) {
      if (error instanceof ForeignResult) return { kind: 'foreign result' };
      throw error;
    }
    return {
      kind: 'written',
      ...table.facts(),
      totalEmails: plan.size,
      chunkCount: Math.ceil(plan.size / chunkLength),
      hasRealDomain: plan.hasRealDomain,
      chunkLines: Buffer.from([...chunkLines(place, plan)].join('')),
    };
  },
);

interface LineParts {
  readonly delimiter: string;
  readonly withHeaders: boolean;
  /** Whether lines say of each row if it is suppressed. */
  readonly hasSuppressed: boolean;
  readonly plan: ChunkPlan;
  readonly table: TableNotes;
}

function rowLines(
  { ownerId, listId }: ListPlace,
  rows: readonly FileRow[],
  { delimiter, withHeaders, hasSuppressed, plan, table }: LineParts,
): string {
  const key = `${ownerId}\t${listId}\t`;
  let lines = '';
  for (const row of rows) {
    const cells = formatRow(row.cells, delimiter);
    if (withHeaders && row.rowNumber === 0) {
      table.addHeader(row, cells);
      continue;
    }
    table.addRow(row);
    if (row.emailAddress !== null && row.firstRowNumber === null) plan.add(row.rowNumber, row.domain);
    const address = row.emailAddress === null ? '\\N' : escapeText(row.emailAddress);
    lines += `${key}${row.rowNumber}\t${escapeText(cells)}\t${address}\t${row.firstRowNumber ?? '\\N'}${hasSuppressed ? (row.isSuppressed ? '\tt' : '\t\\N') : ''}\n`;
  }
  return lines;
}

function* chunkLines({ ownerId, listId }: ListPlace, plan: ChunkPlan): Generator<string> {
  let chunkNumber = 0;
  for (const rowNumbers of plan.cut(chunkLength)) {
    yield `${ownerId}\t${listId}\t${chunkNumber++}\t{${rowNumbers.join(',')}}\n`;
  }
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeText(value: string): string {
  return special.test(value)
    ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string)
    : value;
}
