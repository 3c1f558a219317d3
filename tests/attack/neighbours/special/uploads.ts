import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildWorkbook } from '../../../../apps/server/src/platform/workbooks/testing/build-workbook.ts';
import { createRandom } from '../../../support/random.ts';
import { Customer, read } from '../../customer.ts';
import { brokenForm, type Form, goodForm } from '../../forms.ts';
import { hostileFiles } from '../../hostile-files.ts';
import { sendHttp } from '../../send.ts';
import type { Action } from '../action.ts';
import { followLink } from '../follow-link.ts';

/** As many as one customer may send at the same time. */
const uploadsAtOnce = 5;
const paths = {
  list: '/api/validations/lists_bulk',
  preview: '/api/validations/lists_bulk/validation',
  guesses: '/api/guessing/lists_bulk/validation',
  json: '/api/validations/lists',
} as const;

/** At least one of each kind. */
const hostileKinds = 100;

const csv = (text: string): Form => goodForm([], text);
const row = 'jane@exists.test\r\n';

/** Cells in quotes: a reader that looks for the end of the line again after each needs the square of the time. */
const quotedCells = (count: number): Form => csv(`email${',"a"'.repeat(count)}\r\n${row}`);
/** Quotes of another kind, which a reader that guesses the dialect tries too. */
const apostrophes = (bytes: number): Form => csv(`${",'".repeat(bytes / 2)}\r\n${row}`);
/** Each cell opens a quote that does not end: a reader that looks for the end of each needs the square of the time. */
const openedCells = (bytes: number): Form => csv(`email\r\n${row}${'"a,'.repeat(bytes / 3)}`);
/** A quote that never ends, in a line as long as a line may be. */
const openQuote = (bytes: number): Form => csv(`email,name\r\njane@exists.test,"${'a'.repeat(bytes)}`);
const doubledQuotes = (bytes: number): Form =>
  csv(`email,name\r\njane@exists.test,"${'""'.repeat(bytes / 2)}"\r\n`);

/** One long shared text in many cells: a small file that is large when it is read. */
function repeatedText(letter: string, length: number, cells: number): Form {
  const text = letter.repeat(length);
  return fileForm(
    'people.xlsx',
    buildWorkbook([{ name: 'A', rows: [['email'], ...Array.from({ length: cells }, () => [text])] }]),
  );
}

/** Files of the seeded collection with this name, each about this long. */
function hostile(name: string, byteCount: number): Form[] {
  return hostileFiles(1, hostileKinds)
    .filter((file) => file.name === name)
    .map((file) => {
      const bytes = file.build(byteCount);
      return file.sentAs === 'json'
        ? { what: file.what, contentType: 'application/json', body: bytes }
        : fileForm(name, bytes);
    });
}

function fileForm(name: string, bytes: Buffer): Form {
  const [before = '', after = ''] = csv('{file}').body.toString().replace('people.csv', name).split('{file}');
  return { ...csv(''), body: Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]) };
}

/** One customer sends these files in turn. */
function uploading(name: string, what: string, path: keyof typeof paths, files: () => Form[]): Action {
  const operation = {
    list: 'validations.createList',
    preview: 'validations.previewList',
    guesses: 'guessing.previewList',
    json: 'validations.createListFromEmails',
  }[path];
  return {
    name,
    what,
    operations: [operation],
    connections: uploadsAtOnce,
    prepare: async (scene) => {
      const product = scene.fromElsewhere();
      const customer = await Customer.signUp(product);
      const forms = files();
      let next = 0;
      return {
        turn: async () => {
          const { contentType, body } = forms[next % forms.length] as Form;
          next += 1;
          const headers = { ...customer.headersOf('bearer'), 'content-type': contentType };
          const answer = await sendHttp(product.target, { method: 'POST', path: paths[path], headers, body });
          return answer?.status ?? null;
        },
      };
    },
  };
}

const estimates: Action = {
  name: 'estimates',
  what: 'estimates of a file with a thousand unknown domains',
  operations: ['validations.estimateList'],
  connections: 8,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const people = Array.from({ length: 1_000 }, (_, index) => `jane@unknown-${index}.test`);
    const { contentType, body } = csv(['email', ...people, ''].join('\r\n'));
    const headers = { ...customer.headersOf('bearer'), 'content-type': contentType };
    const preview = await sendHttp(product.target, { method: 'POST', path: paths.preview, headers, body });
    const { upload_id } = read(preview) as { upload_id: string };
    return {
      turn: async () =>
        (await customer.send('POST', `/validations/lists_bulk/${upload_id}/estimate`))?.status ?? null,
    };
  },
};

/** Few people, and rows that are as wide as rows may be: each list costs one credit, its file has millions of cells. */
const wideGuesses: Action = {
  name: 'wide-guesses',
  what: 'lists of people with 1,900 columns, and their files',
  operations: ['guessing.previewList', 'guessing.createList', 'guessing.exportList'],
  connections: uploadsAtOnce,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const names = `first name,last name,domain${',x'.repeat(1_900)}`;
    const { contentType, body } = csv(
      `${names}\r\nJane,Doe,dotted.test\r\n${`${','.repeat(1_900)}\r\n`.repeat(1_000)}`,
    );
    const headers = { ...customer.headersOf('bearer'), 'content-type': contentType };
    const lists: string[] = [];
    let turns = 0;
    const create = async (): Promise<number | null> => {
      const preview = await sendHttp(product.target, { method: 'POST', path: paths.guesses, headers, body });
      if (preview?.status !== 200) return preview?.status ?? null;
      const { upload_id } = read(preview) as { upload_id: string };
      const made = await customer.send('POST', '/guessing/lists_bulk', { upload_id });
      if (made?.status === 201) lists.push((read(made) as { id: string }).id);
      return made?.status ?? null;
    };
    return {
      turn: async () => {
        turns += 1;
        const list = lists.at(-1);
        if (list === undefined || turns % 5 === 0) return create();
        const format = turns % 2 === 0 ? 'csv' : 'xlsx';
        return followLink(
          product,
          await customer.send('POST', `/guessing/lists/${list}/export?format=${format}`),
        );
      },
    };
  },
};

/** A file of one byte a moment: the connection and a place for uploads stay taken. */
const slowUploads: Action = {
  name: 'slow-uploads',
  what: 'files that arrive a few bytes at a time',
  operations: ['validations.previewList'],
  connections: 40,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const form = csv(`email\r\n${row.repeat(5_000)}`);
    const head =
      `POST ${paths.preview} HTTP/1.1\r\nHost: a\r\nAuthorization: ${customer.headersOf('bearer').authorization}\r\n` +
      `Content-Type: ${form.contentType}\r\nContent-Length: ${form.body.length}\r\n\r\n`;
    return {
      turn: async () => {
        const socket = connect({ ...product.target });
        let status: number | null = null;
        socket.on('error', () => undefined);
        socket.on('data', (bytes) => {
          status = Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1] ?? 0);
        });
        socket.write(head);
        for (let sent = 0; sent < 20 && !socket.destroyed && status === null; sent += 1) {
          socket.write(form.body.subarray(sent * 10, sent * 10 + 10));
          await pause(100);
        }
        socket.destroy();
        return status;
      },
    };
  },
};

export const uploadActions: readonly Action[] = [
  uploading('quoted-cells', 'lists with a line of 247,000 quoted cells, 988 kB', 'list', () => [
    quotedCells(247_000),
  ]),
  uploading('quotes', 'previews of files of 250 kB to 990 kB full of quotes', 'preview', () => [
    apostrophes(990_000),
    apostrophes(250_000),
    quotedCells(62_500),
    doubledQuotes(900_000),
    openQuote(990_000),
  ]),
  uploading(
    'opened-cells',
    'previews of opened quotes, 8 kB that are read in place and 250 kB',
    'preview',
    () => [openedCells(7_500), openedCells(7_500), openedCells(250_000)],
  ),
  uploading('guess-quotes', 'previews of people, 480 kB of quotes', 'guesses', () => [
    apostrophes(480_000),
    quotedCells(120_000),
  ]),
  uploading('odd-forms', 'previews of broken forms', 'preview', () => {
    const random = createRandom(1);
    return Array.from({ length: 60 }, () => brokenForm(random));
  }),
  uploading('hostile-files', 'previews of hostile files of all kinds, 250 kB each', 'preview', () =>
    hostile('hostile.csv', 250_000),
  ),
  uploading(
    'workbooks',
    'previews of workbooks of 50 to 150 kB with one long text in many cells',
    'preview',
    () => [
      repeatedText('a', 32_000, 8_500),
      repeatedText('"', 32_000, 8_500),
      repeatedText('a', 32_000, 30_000),
    ],
  ),
  uploading('hostile-workbooks', 'previews of hostile workbooks and zip files, 50 kB each', 'preview', () =>
    ['xlsx', 'ods', 'zip'].flatMap((ending) => hostile(`hostile.${ending}`, 50_000)),
  ),
  uploading('hostile-json', 'lists as hostile JSON of all kinds, 1 MB each', 'json', () =>
    hostile('hostile.json', 1_000_000),
  ),
  wideGuesses,
  slowUploads,
  estimates,
];
