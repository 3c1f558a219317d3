import { buildOds, odsCell, odsRow } from '../../apps/server/src/platform/workbooks/testing/build-ods.ts';
import { workbookParts } from '../../apps/server/src/platform/workbooks/testing/build-workbook.ts';
import { buildZip } from '../../apps/server/src/platform/workbooks/testing/build-zip.ts';
import { createRandom, type Random } from '../support/random.ts';

/** A file that tries to cost much more than its size. */
export interface HostileFile {
  /** Says what is in it. */
  readonly what: string;
  /** How it is sent: as a file, or as the body of a call. */
  readonly sentAs: 'file' | 'json';
  readonly name: string;
  /** The file with about this many bytes, the same each time. */
  build(byteCount: number): Buffer;
}

/** Files of all kinds, the same for a seed on every machine. */
export function hostileFiles(seed: number, count = 200): HostileFile[] {
  return Array.from({ length: count }, (_, index) => {
    const [what, build] = kinds[index % kinds.length] as Kind;
    const isJson = what.startsWith('JSON');
    return {
      what: `${what} (seed ${seed}, file ${index})`,
      sentAs: isJson ? 'json' : 'file',
      name: `hostile.${endings[what.split(' ')[0] ?? ''] ?? 'csv'}`,
      build: (byteCount) => Buffer.from(build(createRandom(seed * 10_007 + index), byteCount)),
    };
  });
}

/** By the first word of what is in a file. */
const endings: Readonly<Record<string, string>> = {
  workbook: 'xlsx',
  spreadsheet: 'ods',
  zip: 'zip',
  JSON: 'json',
};

type Kind = readonly [what: string, build: (random: Random, byteCount: number) => string | Buffer];

const delimiters = [',', ';', '\t', '|'] as const;
const quotes = ['"', "'"] as const;
const address = 'jane@exists.test';

/** A text again and again, up to a length. */
const filled = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length));

/** A table whose first row names the column, and a row that holds what is hostile. */
const below = (hostile: string): string => `email\n${address}\n${hostile}\n${address}\n`;

/** Marks of CSV in any order, which is more than anybody thinks of. */
const scrambled = (random: Random, length: number, marks: readonly [string, ...string[]]): string => {
  const unit = Array.from({ length: random.between(2, 40) }, () => random.oneOf(marks)).join('');
  return filled(unit, length);
};

const texts: readonly Kind[] = [
  [
    'quoted cells in one row',
    (random, size) => `email${filled(`${random.oneOf(delimiters)}"a"`, size)}\n${address}\n`,
  ],
  ['quotes of both kinds', (random, size) => below(filled(`${random.oneOf(delimiters)}'a',"b"`, size))],
  ['opening single quotes', (random, size) => below(filled(`${random.oneOf(delimiters)}'`, size))],
  ['opening double quotes', (random, size) => below(filled(`${random.oneOf(delimiters)}"`, size))],
  ['opening quotes before text', (random, size) => below(filled(`"a${random.oneOf(delimiters)}`, size))],
  ['opening quotes and no line break', (random, size) => filled(`"a${random.oneOf(delimiters)}`, size)],
  ['text behind closing quotes', (random, size) => below(filled(`"a"b${random.oneOf(delimiters)}`, size))],
  [
    'broken quotes in short rows',
    (_, size) => below(filled(`${'"a,'.repeat(600)}\n${'"a"b,'.repeat(300)}\n`, size)),
  ],
  ['nothing but quotes', (random, size) => below(filled(random.oneOf(quotes), size))],
  ['a quote that is never closed', (_, size) => `email\n"${filled(`${address}\n`, size)}`],
  ['doubled quotes in one cell', (_, size) => below(`"${filled('""', size)}"`)],
  ['spaces behind quotes', (_, size) => below(filled(`"a"${' '.repeat(1_000)},`, size))],
  ['spaces behind one quote', (_, size) => below(`"a"${filled(' ', size)},b`)],
  ['delimiters only', (random, size) => filled(random.oneOf(delimiters), size)],
  ['all delimiters in turn', (_, size) => below(filled(',;\t|', size))],
  ['many columns in all rows', (_, size) => filled(`${'x,'.repeat(1_990)}${address}\n`, size)],
  ['too many columns', (_, size) => `email${','.repeat(2_500)}\n${filled(`${address}\n`, size)}`],
  [
    'columns with our names',
    (_, size) =>
      `email,${filled('result,reason,', Math.min(size, 14_000))}\n${filled(`${address}${',VALID,ok'.repeat(900)}\n`, size)}`,
  ],
  ['one long cell', (_, size) => below(filled('x', size))],
  // Of a few lines: where its end is beyond what shows the dialect, each line is a row.
  ['one long quoted cell', (_, size) => below(`"${filled(`${'x'.repeat(99)}\n`, size)}"`)],
  ['one long row of addresses', (_, size) => filled(`${address}, `, size)],
  ['one long row of broken addresses', (_, size) => filled('jane@@exists.test, ', size)],
  [
    'long rows of long cells',
    (_, size) => below(filled(`${'y'.repeat(9_000)},`.repeat(100).concat('\n'), size)),
  ],
  ['blank lines', (_, size) => below(filled('\n', size))],
  ['line breaks of all kinds', (_, size) => below(filled('\r\n\r\r\n', size))],
  ['cells of many addresses', (_, size) => `email\n${filled(`"${filled('a@b.test; ', 3_990)}"\n`, size)}`],
  ['cells of many words', (_, size) => `email\n${filled(`${filled('@ a ', 3_990)}\n`, size)}`],
  ['brackets without end', (_, size) => `email\n${filled(`${filled('<a@b.test', 3_990)}\n`, size)}`],
  ['dots and hyphens', (_, size) => `email\n${filled(`a@${filled('a-.', 3_990)}\n`, size)}`],
  [
    'combining marks',
    (_, size) =>
      `first name,last name,domain,email\n${filled(`${filled('a\u0300\u0316', 450)},x,b.test,${address}\n`, size)}`,
  ],
  ['direction marks', (_, size) => `email\n${filled(`\u202e${address}\u202c\u200b\n`, size)}`],
  ['the same address', (_, size) => `email\n${filled(`${address}\n`, size)}`],
  ['people without end', (_, size) => `first name,last name,domain\n${filled('Jane,Doe,b.test\n', size)}`],
  ['names of columns in the first rows', (_, size) => filled(`${'email,'.repeat(300)}\n`, size)],
  ['titles above the table', (_, size) => filled('Title\n\n', size)],
  ['apostrophes before formulas', (_, size) => below(filled(`${"'".repeat(900)}=1+1\n`, size))],
  [
    'any marks',
    (random, size) =>
      `email\n${address}\n${scrambled(random, size, [',', ';', '\t', '|', '"', "'", '\n', '\r', ' ', 'a', '@', '<', '>', '.', '\u00a0'])}`,
  ],
  [
    'any marks and addresses',
    (random, size) =>
      `email,name\n${scrambled(random, size, [`${address},`, `"${address}"`, '\n', '"', "'", ',', ';', ' '])}`,
  ],
];

const noise = (random: Random, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = random.between(0, 255);
  return bytes;
};

const bytes: readonly Kind[] = [
  [
    'UTF-16 that breaks off',
    (_, size) =>
      Buffer.concat([
        Buffer.from('fffe', 'hex'),
        Buffer.from(below(filled('é,', size / 2)), 'utf16le').subarray(0, -1),
      ]),
  ],
  [
    'lone surrogates',
    (_, size) =>
      Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.alloc(size & ~1, Buffer.from('00d8', 'hex'))]),
  ],
  [
    'UTF-16 of quotes',
    (_, size) =>
      Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(below(filled(',"a"', size / 2)), 'utf16le')]),
  ],
  ['NUL bytes', (_, size) => Buffer.alloc(size)],
  [
    'NUL bytes behind a byte-order mark',
    (_, size) => Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.alloc(size)]),
  ],
  [
    'noise',
    (random, size) => Buffer.concat([Buffer.from('email\n'), filledBytes(noise(random, 5_000), size)]),
  ],
  [
    'broken UTF-8',
    (_, size) => Buffer.concat([Buffer.from('email\n'), filledBytes(Buffer.from('f0909022c3', 'hex'), size)]),
  ],
  [
    'a zip signature and noise',
    (random, size) =>
      Buffer.concat([Buffer.from('504b0304', 'hex'), filledBytes(noise(random, 5_000), size)]),
  ],
];

const filledBytes = (unit: Buffer, length: number): Buffer => Buffer.alloc(length, unit);

/** A workbook with some parts replaced. Its packed length grows with `size`, because noise goes along. */
const workbook = (
  changed: Readonly<Record<string, string | Buffer>>,
  rest: Buffer = Buffer.alloc(0),
): Buffer => {
  const parts = workbookParts([{ name: 'Sheet1', rows: [[address]] }]);
  return buildZip([
    ...parts.map(({ name, bytes: contents }) => ({ name, bytes: changed[name] ?? contents })),
    { name: 'xl/media/image1.png', bytes: rest },
  ]);
};

const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const sheetPart = 'xl/worksheets/sheet1.xml';
const stringsPart = 'xl/sharedStrings.xml';
/** Repeated XML packs about this well. */
const packing = 200;

const workbooks: readonly Kind[] = [
  [
    'workbook of one shared text',
    (_, size) =>
      workbook({
        [stringsPart]: `<sst><si><t>${'z'.repeat(32_000)}</t></si></sst>`,
        [sheetPart]: sheet(filledUnits('<row><c t="s"><v>0</v></c></row>', size * packing)),
      }),
  ],
  [
    'workbook of many shared texts',
    (_, size) =>
      workbook({ [stringsPart]: `<sst>${filledUnits('<si><t>a</t></si>', size * packing)}</sst>` }),
  ],
  [
    'workbook of empty rows',
    (_, size) => workbook({ [sheetPart]: sheet(filledUnits('<row><c s="1"/></row>', size * packing)) }),
  ],
  [
    'workbook of wide rows',
    (_, size) =>
      workbook({ [sheetPart]: sheet(filledUnits('<row><c r="XFD1"><v>1</v></c></row>', size * packing)) }),
  ],
  [
    'workbook that is deep',
    (_, size) => workbook({ [sheetPart]: `<worksheet>${filledUnits('<a>', size * packing)}` }),
  ],
  [
    'workbook of entities',
    (_, size) => workbook({ [sheetPart]: `<!DOCTYPE x [<!ENTITY a "${filled('a', size)}">]><worksheet/>` }),
  ],
  [
    'workbook of one long tag',
    (_, size) => workbook({ [sheetPart]: `<worksheet ${filledUnits('a="" ', size * packing)}/>` }),
  ],
  [
    'workbook of one long text',
    (_, size) =>
      workbook({ [sheetPart]: sheet(`<row><c t="str"><v>${filled('y', size * packing)}</v></c></row>`) }),
  ],
  [
    'workbook of noise',
    (random, size) =>
      workbook({ [sheetPart]: filledBytes(noise(random, 5_000), size) }, noise(random, 1_000)),
  ],
  [
    'workbook in a workbook',
    (_, size) =>
      workbook({ [sheetPart]: workbook({ [sheetPart]: sheet(filledUnits('<row/>', size * packing)) }) }),
  ],
  [
    'workbook of many parts',
    (_, size) =>
      buildZip(
        Array.from({ length: Math.ceil(size / 110) }, (_, index) => ({ name: `p${index}`, bytes: '' })),
      ),
  ],
];

/** Enough to show that the work grows with the length. */
const lessPacking = 50;

const spreadsheet = (rows: string): Buffer => buildOds({ name: 'Sheet1', rows });
const repeatedRow = (rowCount: number, cellCount: number, text: string): string =>
  `<table:table-row table:number-rows-repeated="${rowCount}">${odsCell(text, `table:number-columns-repeated="${cellCount}"`)}</table:table-row>`;

const spreadsheets: readonly Kind[] = [
  [
    'spreadsheet of rows that repeat',
    (_, size) => spreadsheet(filledUnits(repeatedRow(1_000, 1, address), size * lessPacking)),
  ],
  ['spreadsheet of one endless row', (_, size) => spreadsheet(repeatedRow(size * 100, 50, address))],
  [
    'spreadsheet of empty rows',
    (_, size) =>
      spreadsheet(filledUnits('<table:table-row table:number-rows-repeated="1048576"/>', size * lessPacking)),
  ],
  [
    'spreadsheet of wide rows',
    (_, size) =>
      spreadsheet(
        filledUnits(
          odsRow('<table:table-cell table:number-columns-repeated="16383"/>', odsCell('x')),
          size * lessPacking,
        ),
      ),
  ],
  [
    'spreadsheet of tables in tables',
    (_, size) =>
      spreadsheet(filledUnits('<table:table-row><table:table-cell><table:table>', size * lessPacking)),
  ],
  [
    'spreadsheet of many tables',
    (_, size) =>
      buildOds(
        ...Array.from({ length: Math.ceil(size / 20) }, (_, index) => ({ name: `t${index}`, rows: '' })),
      ),
  ],
  [
    'spreadsheet of spaces',
    (_, size) => spreadsheet(filledUnits(odsRow(odsCell('<text:s text:c="1000"/>')), size * lessPacking)),
  ],
];

const zips: readonly Kind[] = [
  [
    'zip of one long text',
    (_, size) => buildZip([{ name: 'a.csv', bytes: filled(`${address}\n`, size * lessPacking) }]),
  ],
  [
    'zip of many texts',
    (_, size) =>
      buildZip(
        Array.from({ length: 99 }, (_, index) => ({
          name: `${index}.csv`,
          bytes: filled('no address here\n', Math.ceil((size * lessPacking) / 99)),
        })),
      ),
  ],
  [
    'zip of many workbooks',
    (_, size) =>
      buildZip(
        Array.from({ length: 50 }, (_, index) => ({
          name: `${index}.xlsx`,
          bytes: workbook({ [sheetPart]: sheet(filledUnits('<row/>', (size * lessPacking) / 50)) }),
        })),
      ),
  ],
  [
    'zip in a zip',
    (_, size) =>
      buildZip([
        { name: 'a.xlsx', bytes: buildZip([{ name: 'a.csv', bytes: filled('a', size * lessPacking) }]) },
      ]),
  ],
  [
    'zip of many names',
    (_, size) =>
      buildZip(
        Array.from({ length: Math.ceil(size / 110) }, (_, index) => ({ name: `${index}.csv`, bytes: '' })),
      ),
  ],
  [
    'zip of long names',
    (_, size) => buildZip([{ name: `${filled('n', Math.min(size, 60_000))}.csv`, bytes: address }]),
  ],
];

const filledUnits = (unit: string, length: number): string =>
  unit.repeat(Math.max(1, Math.floor(length / unit.length)));

const jsonLists: readonly Kind[] = [
  ['JSON of short texts', (_, size) => `{"emails":[${filledUnits('"a",', size)}"${address}"]}`],
  ['JSON of empty texts', (_, size) => `{"emails":[${filledUnits('"",', size)}"${address}"]}`],
  ['JSON of one long text', (_, size) => `{"emails":["${filled('a', size)}"]}`],
  ['JSON of escapes', (_, size) => `{"emails":["${filledUnits('\\u0041', size)}"]}`],
  ['JSON of brackets', (_, size) => filled('[', size)],
  ['JSON of objects', (_, size) => `{"emails":[${filledUnits('{},', size)}0]}`],
  ['JSON of commas', (_, size) => `{"emails":[${filled(',', size)}]}`],
  ['JSON of the same address', (_, size) => `{"emails":[${filledUnits(`"${address}",`, size)}"${address}"]}`],
];

const reply = '550 5.1.1 user unknown; ';
const outcome = (detail: string): string =>
  `{"email":"${address}","kind":"bounce","at":"2026-01-01T00:00:00Z","detail":"${detail}"}`;
const event = (text: string): string => `{"event":"hard_bounce","email":"${address}","reason":"${text}"}`;

const reports: readonly Kind[] = [
  ['JSON of outcomes', (_, size) => `{"outcomes":[${filledUnits(`${outcome('')},`, size)}${outcome('')}]}`],
  [
    'JSON of outcomes with long replies',
    (_, size) => `{"outcomes":[${filledUnits(`${outcome(filled(reply, 1_990))},`, size)}${outcome('')}]}`,
  ],
  ['JSON of events', (_, size) => `[${filledUnits(`${event('')},`, size)}${event('')}]`],
  [
    'JSON of events with long replies',
    (_, size) => `[${filledUnits(`${event(filled(reply, 3_990))},`, size)}0]`,
  ],
  ['JSON of an event in an event', (_, size) => nestedEvent(size)],
];

/** Each is a text in the next one. */
function nestedEvent(length: number): string {
  let json = event('');
  while (json.length < length / 2) json = JSON.stringify({ mandrill_events: `[${json}]` });
  return json;
}

const kinds: readonly Kind[] = [
  ...texts,
  ...bytes,
  ...workbooks,
  ...spreadsheets,
  ...zips,
  ...jsonLists,
  ...reports,
];
