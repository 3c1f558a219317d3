import { formatTableLine, splitLine, type TableFormat } from '../../../platform/csv/table-line.ts';
import { addedColumns, noEmail } from '../../uploads/index.ts';
import { isBlankCell } from '../files/messy-cell.ts';
import { malformedReason } from './export-rows.ts';
import { unescapeText } from './unescape-copy.ts';

/** How an export writes the table of a list. */
export interface ExportFormat extends TableFormat {
  /** Null for lists that are older than this column. */
  readonly emailColumn: number | null;
}

const pieceLength = 1 << 16;

/** Formats a page of COPY lines. Each line is a row with its result and reason. */
export function* formatPage(page: Buffer, format: ExportFormat): Generator<Buffer> {
  let piece = '';
  for (const line of page.toString().split('\n')) {
    if (line === '') continue;
    piece += `${formatLine(unescapeText(line), format)}\n`;
    if (piece.length < pieceLength) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

function formatLine(line: string, format: ExportFormat): string {
  const cells = splitLine(line, format.delimiter);
  const added = cells.splice(-addedColumns.length);
  const isWithoutEmail =
    format.emailColumn !== null &&
    added[1] === malformedReason &&
    isBlankCell(cells[format.emailColumn] ?? '');
  return formatTableLine(cells, isWithoutEmail ? [noEmail.result, noEmail.reason] : added, format);
}
