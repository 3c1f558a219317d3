import { neutraliseFormula } from '../../../platform/csv/formulas.ts';
import { formatCell } from '../../../platform/csv/write-rows.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { withinSandbox } from '../sandbox.ts';
import { type EmailUpload, type EmailUploadParts, takeEmailFile } from './email-uploads.ts';

const delimiter = ',';
const header = 'email';
const emailsPerPiece = 1_000;

/**
 * Stores addresses from JSON as a CSV file, so that they are counted, verified and exported like any other list.
 */
export async function takeEmails(
  parts: EmailUploadParts,
  ownerId: string,
  emails: readonly string[],
  isSandbox: boolean,
): Promise<EmailUpload> {
  const { rowsMax } = isSandbox ? withinSandbox(parts.limits) : parts.limits;
  if (emails.length > rowsMax) {
    throw new AppError(
      'file_too_many_rows',
      {},
      { text: `emails holds more than ${rowsMax} addresses. Send fewer at once.`, meta: { rowsMax } },
    );
  }
  const file = {
    name: 'API list.csv',
    bytes: writtenDown(emails),
    bytesAtMost: emails.reduce((bytes, email) => bytes + Buffer.byteLength(lineOf(email)), header.length + 1),
    encoding: 'utf-8',
  } as const;
  const { upload } = await takeEmailFile(parts, ownerId, file, { isSandbox, dialect });
  if (upload.billable === 0) {
    throw new AppError(
      'file_no_addresses',
      {},
      { text: 'None of the emails is an address that can be verified. Check them and try again.' },
    );
  }
  return upload;
}

const dialect = {
  delimiter,
  quote: '"',
  emailColumn: 0,
  emailColumnName: header,
  skippedRows: 0,
  emailColumnNames: [header],
  ownColumns: [],
  isAddressList: false,
} as const;

async function* writtenDown(emails: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`${header}\n`);
  for (let start = 0; start < emails.length; start += emailsPerPiece) {
    const lines = emails.slice(start, start + emailsPerPiece).map(lineOf);
    yield Buffer.from(lines.join(''));
  }
}

/** In the format of exports, so that reading it back gives the same text. A blank line would not be a row, and not be counted. */
const lineOf = (email: string): string =>
  `${email === '' ? blankCell : formatCell(neutraliseFormula(email), delimiter)}\n`;
const blankCell = '" "';
