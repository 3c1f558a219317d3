import { describe, expect, it, onTestFinished } from 'vitest';
import type { FileEncoding } from '../../../platform/csv/file-encoding.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { buildOds, odsCell, odsRow } from '../../../platform/workbooks/testing/build-ods.ts';
import {
  buildWorkbook,
  type SheetCell,
  workbookParts,
} from '../../../platform/workbooks/testing/build-workbook.ts';
import { buildZip } from '../../../platform/workbooks/testing/build-zip.ts';
import { openIncoming, readWholeFile, refuseFile } from '../../uploads/index.ts';
import { type EmailCounts, readTableRows } from './email-file.ts';
import { countEmailsJob } from './email-jobs.ts';

/** What a file becomes: the addresses that are verified, and why other rows are not. */
interface Becomes {
  readonly emails: string[];
  /** The column that is read, and the first row if it names the columns. */
  readonly column: string;
  readonly duplicated?: number;
  readonly malformed?: number;
  readonly noEmail?: number;
  /** The rows with a broken quote, which the customer is told of. */
  readonly brokenRows?: readonly number[];
}

const jane = 'jane@exists.test';
const max = 'max@exists.test';
const zoe = 'zoe@bücher.test';
const both = [jane, max];
const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join('');
const sheet = (rows: readonly (readonly SheetCell[])[], name = 'Sheet1') => ({ name, rows });
const inUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

/** A folder of files as customers send them, and what each becomes. */
const folder: readonly (readonly [string, string | Buffer, Becomes | { readonly refused: string }])[] = [
  // Tables of text.
  [
    'crm export.csv',
    lines('id,name,email', `1,"Doe, Jane",${jane}`, `2,Max,${max}`),
    { column: 'email', emails: both },
  ],
  [
    'german excel.csv',
    lines('Name;E-Mail', `Jane;${jane}`, `Max;${max}`),
    { column: 'E-Mail', emails: both },
  ],
  [
    'excel with sep line.csv',
    lines('sep=;', 'Name;Mail', `Jane;${jane}`, `Max;${max}`),
    { column: 'Mail', emails: both },
  ],
  ['database dump.tsv', lines('id\temail', `1\t${jane}`, `2\t${max}`), { column: 'email', emails: both }],
  ['mainframe.psv', lines('NR|MAIL', `1|${jane}`, `2|${max}`), { column: 'MAIL', emails: both }],
  [
    'single quotes.csv',
    lines("'name','email'", `'Doe, Jane','${jane}'`, `'Max','${max}'`),
    { column: 'email', emails: both },
  ],
  ['no header.csv', lines(`Jane,${jane}`, `Max,${max}`), { column: '2', emails: both }],
  [
    'titles on top.csv',
    lines('Customers of 2026', '', 'Name,Email', `Jane,${jane}`, `Max,${max}`),
    { column: 'Email', emails: both },
  ],
  ['blank columns.csv', lines(',,Email,', `,,${jane},`, `,,${max},`), { column: 'Email', emails: both }],
  [
    'ragged.csv',
    lines('name,email,city', `Jane,${jane}`, `Max,${max},Bern,Extra`, 'Nobody'),
    { column: 'email', emails: both, noEmail: 1 },
  ],
  ['blank lines between.csv', lines('email', '', jane, '', '', max), { column: 'email', emails: both }],
  ['old mac line ends.csv', `email\r${jane}\r${max}\r`, { column: 'email', emails: both }],
  ['windows line ends, no last one.csv', `email\r\n${jane}\r\n${max}`, { column: 'email', emails: both }],
  [
    'cells with line breaks.csv',
    lines('note,email', `"two\nlines",${jane}`, `plain,${max}`),
    { column: 'email', emails: both },
  ],
  ['utf-8 with mark.csv', `\ufeffemail\n${jane}\n${max}\n`, { column: 'email', emails: both }],
  [
    'unicode text from excel.txt',
    inUtf16(lines('Name\tE-Mail', `Zoë\t${jane}`, `Max\t${max}`)),
    { column: 'E-Mail', emails: both },
  ],
  [
    'utf-16 without mark.csv',
    Buffer.from(lines('email', jane, max), 'utf16le'),
    { column: 'email', emails: both },
  ],
  [
    'western europe.csv',
    Buffer.from(lines('Prénom;Courriel', `Zoë;${jane}`, `Max;${max}`), 'latin1'),
    { column: 'Courriel', emails: both },
  ],
  [
    'two columns of emails.csv',
    lines('email,private', `${jane},j@home.test`, `${max},`),
    { column: 'email', emails: both },
  ],
  [
    'earlier export.csv',
    lines('email,result,reason', `${jane},VALID,mailbox_accepted`, `${max},UNKNOWN,greylisted`),
    { column: 'email', emails: both },
  ],
  // What people put into cells.
  [
    'names and brackets.csv',
    lines('contact', `Jane Doe <${jane}>`, `<${max}>`),
    { column: 'contact', emails: both },
  ],
  [
    'links from a web page.csv',
    lines('email', `mailto:${jane}?subject=Hello`, `MAILTO:${max}`),
    { column: 'email', emails: both },
  ],
  [
    'invisible characters.csv',
    lines('email', `\u200b${jane}\u00a0`, `m\u00adax@exists.test\ufeff`),
    { column: 'email', emails: both },
  ],
  [
    'several in a cell.csv',
    lines('id,email', `1,"${jane}; ${max}"`, '2,'),
    { column: 'email', emails: both, noEmail: 1 },
  ],
  [
    'duplicates and gaps.csv',
    lines('email,name', jane, 'JANE@exists.test,Again', ',None', 'jane(at)exists.test,Typo', max),
    { column: 'email', emails: both, duplicated: 1, malformed: 1, noEmail: 1 },
  ],
  [
    'domain in unicode.csv',
    lines('email', zoe, 'zoe@xn--bcher-kva.test'),
    { column: 'email', emails: [zoe], duplicated: 1 },
  ],
  // Text without a table.
  ['one per line.txt', lines(jane, max), { column: '1', emails: both }],
  ['with commas.txt', `${jane}, ${max}`, { column: '1', emails: both }],
  [
    'with semicolons on lines.txt',
    lines(`${jane};${max};`, 'a@exists.test;b@exists.test'),
    { column: '1', emails: [...both, 'a@exists.test', 'b@exists.test'] },
  ],
  ['with spaces.txt', `${jane} ${max}  ${jane}`, { column: '1', emails: both, duplicated: 1 }],
  ['recipients of a message.txt', `"Doe, Jane" <${jane}>; Max, Mr <${max}>`, { column: '1', emails: both }],
  // Workbooks.
  [
    'customers.xlsx',
    buildWorkbook([
      sheet([
        ['Name', 'Email'],
        ['Jane', jane],
        ['Max', max],
      ]),
    ]),
    { column: 'Email', emails: both },
  ],
  [
    'from another program.xlsx',
    buildWorkbook(
      [
        sheet([
          ['Email', 'Since'],
          [jane, { value: 45_000, format: 'date' }],
          [max, 3],
        ]),
      ],
      { texts: 'inline' },
    ),
    { column: 'Email', emails: both },
  ],
  [
    'second sheet has the emails.xlsx',
    buildWorkbook([sheet([['Read me'], ['Version', 2]], 'About'), sheet([['Mail'], [jane], [max]], 'Data')]),
    { column: 'Mail', emails: both },
  ],
  [
    'title, gaps, formula.xlsx',
    buildWorkbook([
      sheet([
        ['Our customers'],
        [],
        ['Who', null, 'Email'],
        ['Jane', null, { formula: 'A4&"@exists.test"', value: jane }],
        ['Nobody'],
        ['Max', null, `${max};${jane}`],
      ]),
    ]),
    { column: 'Email', emails: both, duplicated: 1, noEmail: 1 },
  ],
  ['workbook.csv', buildWorkbook([sheet([[jane], [max]])]), { column: '1', emails: both }],
  // Spreadsheets of LibreOffice, and zip files.
  [
    'customers.ods',
    buildOds({
      name: 'Sheet1',
      rows: [
        ['Name', 'Email'],
        ['Jane', jane],
        ['Max', max],
      ]
        .map((cells) => odsRow(...cells.map((cell) => odsCell(cell))))
        .join(''),
    }),
    { column: 'Email', emails: both },
  ],
  [
    'several files, a semicolon between columns.zip',
    buildZip([
      { name: 'read me.txt', bytes: 'Our customers' },
      { name: 'lists/customers.csv', bytes: Buffer.from(`Prénom;Mail\nZoé;${jane}\nMax;${max}\n`, 'latin1') },
    ]),
    { column: 'Mail', emails: both },
  ],
  [
    'recipients in a zip file.zip',
    buildZip([{ name: 'recipients.txt', bytes: `"Doe, Jane" <${jane}>; Max, Mr <${max}>` }]),
    { column: '1', emails: both },
  ],
  [
    'damaged and whole workbooks.zip',
    buildZip([
      { name: 'damaged.xlsx', bytes: 'noise' },
      { name: 'whole.xlsx', bytes: buildWorkbook([sheet([['Mail'], [jane], [max]])]) },
    ]),
    { column: 'Mail', emails: both },
  ],
  // Broken quotes are text.
  [
    'quote never closed.csv',
    lines('name,email', `"Jane,${jane}`, `Max,${max}`),
    { column: 'email', emails: both, brokenRows: [2] },
  ],
  [
    'quotes not doubled.csv',
    lines('name,email', `"Jane "J" D.",${jane}`, `Max,${max}`, `"Zoe" Z,${zoe}`),
    { column: 'email', emails: [...both, zoe], brokenRows: [2, 4] },
  ],
  ['recipients.txt', lines(`"Doe, Jane" <${jane}>`, `"Max" <${max}>`), { column: '1', emails: both }],
  [
    'recipients with a title.csv',
    lines('Recipients', `"Doe, Jane" <${jane}>`, `"M." <${max}>`),
    // Below a title they are cells of a table, whose quotes end before the cell does.
    { column: 'Recipients', emails: both, brokenRows: [2, 3] },
  ],
  // Refused, each with its own words.
  ['empty.csv', '', { refused: 'file_empty' }],
  ['no emails.csv', lines('name,city', 'Jane,Bern'), { refused: 'file_no_email_column' }],
  ['old.xls', Buffer.from('d0cf11e0a1b11ae1000000000000000000', 'hex'), { refused: 'file_not_text' }],
  ['photos.zip', buildZip([{ name: 'photo.jpg', bytes: 'x' }]), { refused: 'file_not_text' }],
  [
    'with password.xlsx',
    buildZip(workbookParts([sheet([[jane]])]).map((part) => ({ ...part, isEncrypted: true }))),
    { refused: 'file_workbook_password' },
  ],
  [
    'with password.zip',
    buildZip([{ name: 'customers.csv', bytes: jane, isEncrypted: true }]),
    { refused: 'file_workbook_password' },
  ],
  ['cut off.xlsx', buildWorkbook([sheet([[jane]])]).subarray(0, 900), { refused: 'file_workbook_broken' }],
  [
    'bomb.xlsx',
    buildZip(workbookParts([sheet([[jane]])]).map((part) => ({ ...part, claimedSize: 2_000_000_000 }))),
    { refused: 'file_workbook_too_large' },
  ],
  ['scan.csv', Buffer.from('%PDF-1.7 …'), { refused: 'file_not_text' }],
];

describe('a folder of files as customers send them', () => {
  const limits = { bytesMax: 10_000_000, rowsMax: 10_000 };

  /** The counts of a file and its text, as an upload stores it. */
  async function readUpload(
    contents: Buffer,
  ): Promise<{ counts: EmailCounts; text: Buffer; encoding: FileEncoding }> {
    const counting = { limits, known: {} };
    const opened = await openIncoming({ bytes: inPieces(contents) }, limits);
    if (opened.kind === 'workbook') {
      const { handle } = opened;
      onTestFinished(() => handle.close());
      const source = {
        kind: 'workbook',
        fd: handle.fd,
        sheet: undefined,
        bytesMax: limits.bytesMax,
      } as const;
      const written: Uint8Array[] = [];
      const file = {
        bytes: inPieces(Buffer.alloc(0)),
        write: async (piece: Uint8Array) => void written.push(piece),
      };
      const { counts } = await countEmailsJob.run(file, { source, counting });
      return { counts, text: Buffer.concat(written), encoding: 'utf-8' };
    }
    const { bytes: text, encoding } = await readWholeFile(opened.bytes, limits);
    const file = { bytes: inPieces(text), write: async () => undefined };
    const { counts } = await countEmailsJob.run(file, { source: { kind: 'text', encoding }, counting });
    return { counts, text, encoding };
  }

  async function read(contents: string | Buffer): Promise<Becomes> {
    const { counts, text, encoding } = await readUpload(Buffer.from(contents));
    const { dialect } = counts;
    const withHeaders = dialect.emailColumnName !== null;
    const { rows } = readTableRows(
      inPieces(text),
      { encoding, dialect, suppressedHashes: null },
      { withHeaders },
    );
    const all = (await Array.fromAsync(rows)).flat();
    const emails = all.flatMap((row) =>
      row.emailAddress !== null && row.firstRowNumber === null ? [row.emailAddress] : [],
    );
    const kinds = withHeaders ? counts.belowFirst : counts;
    // The preview promises what the list contains.
    expect(kinds.billable).toBe(emails.length);
    const others = {
      duplicated: kinds.duplicated,
      malformed: kinds.nonBillable - kinds.empty,
      noEmail: kinds.empty,
    };
    const column = dialect.emailColumnName ?? String(dialect.emailColumn + 1);
    const { brokenQuotes } = counts;
    expect(brokenQuotes.rows).toBe(brokenQuotes.first.length);
    return {
      column,
      emails,
      ...(brokenQuotes.rows > 0 && { brokenRows: brokenQuotes.first }),
      ...Object.fromEntries(Object.entries(others).filter(([, count]) => count > 0)),
    };
  }

  it.each(folder)('%s', async (_name, contents, becomes) => {
    const outcome = await read(contents)
      .catch(refuseFile)
      .catch((error: unknown) => ({ refused: error instanceof AppError ? error.code : error }));

    expect(outcome).toEqual(becomes);
  });

  it('holds at least 40 files', () => {
    expect(folder.length).toBeGreaterThanOrEqual(40);
  });
});

/** Odd lengths, so that letters and line breaks are cut in the middle. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
}
