import type { OutcomeFile, ReportedKind } from '@assay/contract';
import { parseAddress } from '@assay/verifier';
import { restoreFormula } from '../../../platform/csv/formulas.ts';
import { openTable } from '../../../platform/csv/open-table.ts';
import { previewRows, RefusedFile } from '../../uploads/reading.ts';
import type { OutcomeReport } from '../outcome.ts';
import { isTooLate, judgeReported } from '../reported.ts';
import { clipped, FileFindings, type FileSummary } from './file-findings.ts';
import { addressIn, findColumns, type WishedColumns } from './find-columns.ts';
import { readKind } from './kind-words.ts';
import { type DayOrder, dayOrderOf, readMoment, type WrittenMoment } from './moment-text.ts';

/** What a customer says about a file. */
export interface TableWishes {
  readonly columns: WishedColumns;
  /** Of rows without a kind. */
  readonly kind: ReportedKind | undefined;
  /** The day of rows without a date. */
  readonly date: string | undefined;
}

export type ReadTable = FileSummary & Pick<OutcomeFile, 'columns' | 'missing' | 'first_rows'>;

const firstRowsMax = 6;
const detailLengthMax = 2_000;
const eventIdLengthMax = 200;

/** The cells of a row that are read. */
interface ReadCells {
  readonly email: string;
  readonly kind: string;
  readonly at: string;
  readonly detail: string;
  readonly id: string;
}

interface TableOptions {
  readonly wishes: TableWishes;
  readonly now: Date;
  readonly isSheet: boolean;
  readonly write: ((page: Buffer) => Promise<void>) | undefined;
}

/** Reads a table with a row for each event. */
export async function readTable(
  text: AsyncGenerator<string>,
  { wishes, now, isSheet, write }: TableOptions,
): Promise<ReadTable> {
  const { sample, rows } = await openTable(text, { isSheet });
  if (sample.length === 0) throw new RefusedFile({ problem: 'file_empty' });
  const { columns, hasHeader } = findColumns(sample, wishes.columns);
  const missing = [
    ...(columns.email === null ? (['email'] as const) : []),
    ...(columns.kind === null && columns.detail === null && wishes.kind === undefined
      ? (['kind'] as const)
      : []),
    ...(columns.at === null && wishes.date === undefined ? (['at'] as const) : []),
  ];
  const findings = new FileFindings(write);
  const cellsOf = (row: readonly string[]): ReadCells => {
    const cell = (number: number | null, lengthMax = detailLengthMax) =>
      number === null
        ? ''
        : restoreFormula(row[number - 1] ?? '')
            .trim()
            .slice(0, lengthMax);
    return {
      email: cell(columns.email),
      kind: cell(columns.kind),
      at: cell(columns.at),
      detail: cell(columns.detail),
      id: cell(columns.id, eventIdLengthMax),
    };
  };
  // Kept until the end, because a later row may show whether day or month comes first.
  const kept: ReadCells[] = [];
  let isFirst = true;
  for await (const batch of rows) {
    for (const row of batch) {
      const isHeader = isFirst && hasHeader;
      isFirst = false;
      if (isHeader) continue;
      findings.next();
      if (missing.length === 0) kept.push(cellsOf(row));
    }
  }
  const order = dayOrderOf(kept.map(({ at }) => at));
  for (const [index, cells] of kept.entries()) {
    const place = index + (hasHeader ? 2 : 1);
    const read = readRow(cells, { wishes, order, now });
    if (read === 'nothing') findings.saidNothing();
    else if (typeof read === 'string') findings.refuse(place, read);
    else await findings.add(place, read);
  }
  const first_rows = previewRows(sample.slice(0, firstRowsMax));
  return { ...(await findings.finish()), columns, missing, first_rows };
}

interface RowReading {
  readonly wishes: TableWishes;
  readonly order: DayOrder | undefined;
  readonly now: Date;
}

/** What a row reports, `nothing`, or what is wrong with it. */
function readRow(cells: ReadCells, { wishes, order, now }: RowReading): OutcomeReport | string {
  const email = addressIn(cells.email);
  if (!parseAddress(email).ok) return `This is no email address: “${clipped(cells.email)}”.`;
  const kind = cells.kind === '' ? (wishes.kind ?? 'bounce') : readKind(cells.kind);
  if (kind === undefined) return `What happened is not known by this name: “${clipped(cells.kind)}”.`;
  if (kind === 'nothing') return 'nothing';
  const moment = momentOf(cells.at, { date: wishes.date, order });
  if (typeof moment === 'string') return moment;
  if (isTooLate(moment.at, now)) return `The date is in the future: “${clipped(cells.at)}”.`;
  const isUnsaid = cells.kind === '' && wishes.kind === undefined && cells.detail === '';
  if (isUnsaid) return 'The row does not say what happened.';
  return {
    email,
    finding: judgeReported(kind, email, cells.detail),
    ...moment,
    ...(cells.id !== '' && { eventId: cells.id }),
  };
}

function momentOf(
  cell: string,
  { date = '', order }: { readonly date: string | undefined; readonly order: DayOrder | undefined },
): WrittenMoment | string {
  const moment = readMoment(cell === '' ? date : cell, order);
  if (moment === 'ambiguous')
    return `The date may mean two days: “${clipped(cell)}”. Write it like 2026-11-20.`;
  return (
    moment ?? (cell === '' ? 'The row has no date.' : `This is no date that we know: “${clipped(cell)}”.`)
  );
}
