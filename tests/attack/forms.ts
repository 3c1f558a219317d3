import type { Random } from '../support/random.ts';

const disposition = 'Content-Disposition: form-data; name="list_raw"; filename="people.csv"';
const people = 'name,email,domain\r\nJane Doe,jane@exists.test,dotted.test\r\n';
const whole = `--x\r\n${disposition}\r\n\r\n${people}\r\n--x--\r\n`;
const withField = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n${whole}`;
const fileWith = (contents: string): string => whole.replace(people, () => contents);
const fileNamed = (name: string): string => whole.replace('people.csv', () => name);

export interface Form {
  readonly what: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Each builds a form from the random generator only. */
const breakages: readonly [string, (random: Random) => string, string?][] = [
  ['cut short', (random) => whole.slice(0, random.between(0, whole.length - 1))],
  [
    'a byte changed',
    (random) => replaceAt(whole, random.between(0, whole.length - 1), random.between(0, 255)),
  ],
  ['a piece left out', (random) => cutOut(whole, random.between(0, whole.length - 1), random.between(1, 30))],
  ['doubled', () => whole + whole],
  ['no boundary', () => whole, 'multipart/form-data'],
  ['an empty boundary', () => whole, 'multipart/form-data; boundary='],
  ['another boundary', () => whole, 'multipart/form-data; boundary=y'],
  ['a boundary of 256 bytes', () => whole, `multipart/form-data; boundary=${'x'.repeat(256)}`],
  ['a boundary of 257 bytes', () => whole, `multipart/form-data; boundary=${'x'.repeat(257)}`],
  ['a boundary in quotes', () => whole, 'multipart/form-data; boundary="x'],
  ['nothing', () => ''],
  ['only an end', () => '--x--'],
  ['a part whose headers do not end', () => '--x\r\nA: b\r\n\r\n--x--'],
  ['a part without a disposition', () => '--x\r\nA: b\r\n\r\nc\r\n--x--'],
  ['a part without a name', () => whole.replace('; name="list_raw"', '')],
  [
    'bytes without a file name',
    () => whole.replace('; filename="people.csv"', '\r\nContent-Type: application/octet-stream'),
  ],
  [
    'two thousand parts',
    () => `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(2_000)}--x--`,
  ],
  ['a long header', () => whole.replace('\r\n\r\n', `\r\nX-Long: ${'a'.repeat(90_000)}\r\n\r\n`)],
  ['three thousand headers', () => whole.replace('\r\n\r\n', `${'\r\nX-A: b'.repeat(3_000)}\r\n\r\n`)],
  ['a long field', () => withField('with_headers', 'a'.repeat(1_100_000))],
  ['a long field name', () => withField('a'.repeat(50_000), 'b')],
  ['a name of the prototype', () => withField('__proto__', 'b')],
  ['NUL in a field', () => withField('name', 'a\0b')],
  [
    'a field of JSON',
    () =>
      whole.replace(
        '--x\r\n',
        '--x\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: application/json\r\n\r\n{"a":[1]}\r\n--x\r\n',
      ),
  ],
  ['a file named with NUL', () => fileNamed('peo\0ple.csv')],
  ['a file named by a path', () => fileNamed('../../../etc/passwd')],
  ['a file named by nothing', () => fileNamed('')],
  ['a long file name', () => fileNamed(`${'a'.repeat(20_000)}.csv`)],
  [
    'a file name in another encoding',
    () => whole.replace('filename="people.csv"', "filename*=UTF-8''%00%ff.csv"),
  ],
  ['an empty file', () => fileWith('')],
  ['a file of NUL', () => fileWith('\0'.repeat(1_000))],
  ['a file with NUL in its header', () => fileWith('em\0ail\r\njane@exists.test\r\n')],
  ['a file of bytes', (random) => fileWith(bytesOf(random, 4_000))],
  ['a file in UTF-16', () => fileWith(`\xff\xfe${[...people].map((letter) => `${letter}\0`).join('')}`)],
  ['a file in half of UTF-16', () => fileWith('\xff\xfee\0m\0a\0i\0l\0\n\0\0\xd8\n\0')],
  ['an unclosed quote', () => fileWith(`email\r\n"${'a'.repeat(200_000)}`)],
  ['a long cell', () => fileWith(`email\r\n${'a'.repeat(300_000)}@exists.test\r\n`)],
  [
    'many columns',
    () => fileWith(`${'a,'.repeat(20_000)}email\r\n${'b,'.repeat(20_000)}jane@exists.test\r\n`),
  ],
  ['many short rows', () => fileWith(`email\r\n${'a\r\n'.repeat(50_000)}`)],
  ['a spreadsheet', () => fileWith(`PK\x03\x04${'\0'.repeat(500)}`)],
  ['formulas', () => fileWith('email,=1+1\r\njane@exists.test,=cmd|calc\r\n')],
];

/** A form with a file, broken in one of many ways. */
export function brokenForm(random: Random): Form {
  const [first, ...rest] = breakages as [(typeof breakages)[number], ...typeof breakages];
  const [what, build, contentType = 'multipart/form-data; boundary=x'] = random.oneOf([first, ...rest]);
  return { what: `a form with ${what}`, contentType, body: Buffer.from(build(random), 'latin1') };
}

/** A form like a browser's. */
export function goodForm(fields: readonly (readonly [string, string])[], file: string | null): Form {
  const written = fields.map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const filePart = file === null ? '' : `--x\r\n${disposition}\r\n\r\n${file}\r\n`;
  return {
    what: 'a good form',
    contentType: 'multipart/form-data; boundary=x',
    body: Buffer.from(`${written.join('')}${filePart}--x--\r\n`),
  };
}

const replaceAt = (text: string, at: number, code: number): string =>
  text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
const cutOut = (text: string, from: number, length: number): string =>
  text.slice(0, from) + text.slice(from + length);
const bytesOf = (random: Random, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(random.between(0, 255))).join('');
