import { BrokenQuoting, RowTooLarge, rowLimits } from '../../platform/csv/csv-reader.ts';
import { AppError } from '../../platform/errors/index.ts';
import { BadWorkbook, type WorkbookProblem } from '../../platform/workbooks/bad-workbook.ts';

/** Why a file cannot become a list; each has its own text in the table of errors. */
type FileRefusal =
  | { readonly problem: 'file_empty' }
  | { readonly problem: 'file_not_text'; readonly looksLike: string }
  | { readonly problem: 'file_workbook_broken' | 'file_workbook_password' | 'file_workbook_too_large' }
  | { readonly problem: 'file_sheet_not_found'; readonly sheets: readonly string[] }
  | { readonly problem: 'file_column_not_found'; readonly columnCount: number }
  | { readonly problem: 'file_too_large'; readonly bytesMax: number }
  | { readonly problem: 'file_too_many_rows'; readonly rowsMax: number }
  | ({ readonly problem: 'file_no_email_column' } & RowsToChooseFrom)
  | { readonly problem: 'file_broken_quoting'; readonly row: number }
  | {
      readonly problem: 'file_too_many_columns' | 'file_row_too_long';
      readonly row: number;
      readonly max: number;
    }
  | { readonly problem: 'sandbox_address'; readonly row: number };

/** What a customer needs to choose a column or a sheet of a file in which we found nothing. */
export interface RowsToChooseFrom {
  readonly first_rows?: readonly (readonly string[])[];
  readonly format?: string;
  readonly sheet?: string;
  readonly sheets?: readonly string[];
}

/** Thrown while a file streams in, so that the part that is stored is removed. */
export class RefusedFile extends Error {
  readonly refusal: FileRefusal;
  constructor(refusal: FileRefusal) {
    super(refusal.problem);
    this.refusal = refusal;
  }
}

/** Turns a problem of a file into a refusal that says what to change; other errors pass. */
export function refuseFile(error: unknown): never {
  if (error instanceof BrokenQuoting) throw refusalOf({ problem: 'file_broken_quoting', row: error.row });
  if (error instanceof RowTooLarge) throw refusalOf(rowRefusal(error), rowText(error));
  if (error instanceof BadWorkbook) throw refusalOf(workbookRefusal(error.problem));
  throw error instanceof RefusedFile ? refusalOf(error.refusal) : error;
}

function workbookRefusal(problem: WorkbookProblem): FileRefusal {
  return problem.kind === 'other'
    ? { problem: 'file_not_text', looksLike: problem.looksLike }
    : { problem: `file_workbook_${problem.kind}` };
}

const rowRefusal = ({ row, limit }: RowTooLarge): FileRefusal => ({
  problem: limit === 'columns' ? 'file_too_many_columns' : 'file_row_too_long',
  row,
  max: rowLimits[limit],
});

function rowText({ row, limit }: RowTooLarge): string {
  const max = rowLimits[limit].toLocaleString('en-US');
  switch (limit) {
    case 'columns':
      return `Row ${row} has more than ${max} columns. Leave columns out and try again.`;
    case 'cell':
      return `Row ${row} has a cell with more than ${max} characters, or a quote that is never closed. Mend the row and try again.`;
    case 'row':
      return `Row ${row} has more than ${max} characters. Shorten it and try again.`;
  }
}

function refusalOf(refusal: FileRefusal, text = textOf(refusal)): AppError {
  // The customer's rows are for the customer, and not for the log.
  const { first_rows, sheet, sheets, ...logged } = refusal as FileRefusal & RowsToChooseFrom;
  return new AppError(refusal.problem, logged, { text, meta: { ...refusal } });
}

/** A text of its own for each refusal that can say more than the table of errors. */
function textOf(refusal: FileRefusal): string | undefined {
  switch (refusal.problem) {
    case 'file_not_text':
      return `This is ${refusal.looksLike}. Save it as .xlsx or CSV, and try again.`;
    case 'file_sheet_not_found':
      return `The file has no sheet or file with this name. Choose one of these: ${refusal.sheets.join(', ')}.`;
    case 'file_column_not_found':
      return `The file has no column with this number. Choose one from 1 to ${refusal.columnCount}.`;
    case 'file_too_large':
      return `The file is larger than ${formatBytes(refusal.bytesMax)}. Split it into smaller files.`;
    case 'file_too_many_rows':
      return `The file has more than ${refusal.rowsMax.toLocaleString('en-US')} rows. Split it into smaller files.`;
    case 'file_broken_quoting':
      return `The quoting is broken in row ${refusal.row}: a quote is opened and not closed. Mend the row and try again.`;
    case 'sandbox_address':
      return `The address in row ${refusal.row} does not end in .test, and the sandbox knows no others. Leave it out, or leave sandbox out.`;
    default:
      return undefined;
  }
}

const formatBytes = (bytes: number): string =>
  bytes >= 1 << 20 ? `${Math.floor(bytes / (1 << 20))} MB` : `${Math.floor(bytes / 1024)} kB`;
