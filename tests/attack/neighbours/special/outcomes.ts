import { Customer, read } from '../../customer.ts';
import { type Form, goodForm } from '../../forms.ts';
import { type Answer, sendHttp } from '../../send.ts';
import type { Action } from '../action.ts';
import { followLink } from '../follow-link.ts';

const outcomesPerCall = 10_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number): string => new Date(startMs + second * 1_000).toISOString();

/** The reports of a call, by the call and their place in it. */
type Shape = (call: number, place: number) => Record<string, string>;

const shapes: readonly Shape[] = [
  // Many events of one address in a second, each with an id of its own.
  (call, place) => ({ email: 'jane@exists.test', kind: 'hard', at: at(0), id: `${call}-${place}` }),
  // Of one address, each in another second.
  (call, place) => ({ email: 'jane@exists.test', kind: 'soft', at: at(call * outcomesPerCall + place) }),
  // The same reports again and again.
  (_, place) => ({ email: `person.${place}@exists.test`, kind: 'delivered', at: at(place) }),
  // Each suppresses another address.
  (call, place) => ({ email: `person.${call}.${place}@exists.test`, kind: 'complaint', at: at(place) }),
];

const alikeOutcomes: Action = {
  name: 'alike-outcomes',
  what: 'calls of 10,000 outcomes: of one address, of one second, repeated, and all new',
  operations: ['outcomes.report'],
  connections: 8,
  prepare: async (scene) => {
    const customer = await Customer.signUp(scene.fromElsewhere());
    let calls = 0;
    return {
      turn: async () => {
        calls += 1;
        const call = calls;
        const shape = shapes[call % shapes.length] as Shape;
        const outcomes = Array.from({ length: outcomesPerCall }, (_, place) => shape(call, place));
        return (await customer.send('POST', '/outcomes', { outcomes }))?.status ?? null;
      },
    };
  },
};

interface KnownFeed {
  readonly path: string;
  readonly secret: string | null;
}

async function makeFeed(customer: Customer, sender: string): Promise<KnownFeed> {
  const { id, secret } = read(await customer.send('POST', '/outcomes/feeds', { sender })) as {
    id: string;
    secret: string | null;
  };
  return { path: `/api/outcomes/feeds/${id}`, secret };
}

const brevoEvents = (count: number, from: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      Array.from({ length: count }, (_, place) => ({
        event: 'hard_bounce',
        email: `person.${from + place}@exists.test`,
        ts_event: startMs / 1_000,
        id: from + place,
      })),
    ),
  );
const postTo = async (
  target: Parameters<typeof sendHttp>[0],
  { path, secret }: KnownFeed,
  body: Buffer,
): Promise<number | null> => {
  const headers = {
    'content-type': 'application/json',
    ...(secret !== null && { 'x-assay-feed-secret': secret }),
  };
  return (await sendHttp(target, { method: 'POST', path, headers, body }))?.status ?? null;
};

/** Strangers know the addresses of feeds that a sender's key protects: the body is read before its signature can be wrong. */
const unsignedEvents: Action = {
  name: 'unsigned-events',
  what: 'unsigned events at a feed, 64 at once: small ones, and bodies of 4.9 MB',
  operations: ['feeds.createFeed'],
  connections: 64,
  prepare: async (scene) => {
    const customer = await Customer.signUp(scene.fromElsewhere());
    const feed = await makeFeed(customer, 'sendgrid');
    const withSecret = { ...(await makeFeed(customer, 'brevo')), secret: 'wrong' };
    const { target } = scene.fromElsewhere();
    const bodies = [brevoEvents(1, 0), Buffer.from(`[${'{},'.repeat(1_633_333)}{}]`), brevoEvents(50, 0)];
    let turns = 0;
    return {
      turn: () => {
        turns += 1;
        return postTo(target, turns % 2 === 0 ? feed : withSecret, bodies[turns % bodies.length] as Buffer);
      },
    };
  },
};

/** A customer's own feed with its secret. */
const ownEvents: Action = {
  name: 'own-events',
  what: 'genuine events at a feed of its own, 64 at once: one each, thousands, and 5 MB that hold none',
  operations: ['feeds.createFeed'],
  connections: 64,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const feed = await makeFeed(await Customer.signUp(product), 'brevo');
    const nothing = Buffer.from(`[${'{},'.repeat(1_600_000)}{}]`);
    const nested = Buffer.from('['.repeat(4_900_000));
    let turns = 0;
    return {
      turn: () => {
        turns += 1;
        const body =
          turns % 40 === 0
            ? [nothing, nested, brevoEvents(9_000, turns * 10_000)][(turns / 40) % 3]
            : brevoEvents(1, turns * 10_000);
        return postTo(product.target, feed, body as Buffer);
      },
    };
  },
};

const rowsPerFile = 100_000;
const csvOf = (rows: (row: number) => string, count = rowsPerFile): Form =>
  goodForm(
    [],
    `target,reason,end_date\r\n${Array.from({ length: count }, (_, row) => `${rows(row)}\r\n`).join('')}`,
  );

async function importFile(
  target: Parameters<typeof sendHttp>[0],
  customer: Customer,
  { contentType, body }: Form,
  path = '/api/suppressions/import',
): Promise<Answer | null> {
  const headers = { ...customer.headersOf('bearer'), 'content-type': contentType };
  return sendHttp(target, { method: 'POST', path, headers, body });
}

const eventsOf = (row: (row: number) => string): Form =>
  goodForm(
    [],
    `email,event,date,reason\r\n${Array.from({ length: rowsPerFile }, (_, index) => `${row(index)}\r\n`).join('')}`,
  );
const mailsPerFile = 2_500;
const nestedParts = (count: number): string => Array.from({ length: count }, () => '--a\n\n--b\n').join('');

const outcomeFiles: Action = {
  name: 'outcome-files',
  what: 'files of 100,000 outcomes, of thousands of reports and of hostile mails, read and kept',
  operations: ['outcomes.previewFile', 'outcomes.importFile'],
  connections: 5,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const mbox = (mail: string) =>
      goodForm(
        [],
        Array.from({ length: mailsPerFile }, () => `From a Fri Nov 20 09:30:00 2026\n${mail}\n\n`).join(''),
      );
    const report =
      'From: MAILER-DAEMON@mx.test\nDate: Fri, 20 Mar 2026 09:30:00 +0000\nSubject: failure\n\n<jane@exists.test>:\n550 5.1.1 User unknown\n';
    const files = [
      eventsOf((row) => `person.${row}@exists.test,bounce,${at(row)},550 5.1.1 User unknown`),
      eventsOf((row) => `person.${row}@exists.test,soft,03/04/2026,`),
      eventsOf(() => 'nobody,nothing,never,'),
      mbox(report),
      mbox(`${report}Content-Type: multipart/report; boundary=a\n\n${nestedParts(200)}`),
      goodForm([], `From: a@b.test\n${'X-A: b\n'.repeat(1_400_000)}`),
    ];
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const file = files[turns % files.length] as Form;
        const path = turns % 2 === 0 ? '/api/outcomes/files' : '/api/outcomes/files/preview';
        return (await importFile(product.target, customer, file, path))?.status ?? null;
      },
    };
  },
};

const outcomeReads: Action = {
  name: 'outcome-reads',
  what: 'searches, kinds and far pages of 100,000 outcomes',
  operations: ['outcomes.listOutcomes'],
  connections: 8,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    await importFile(
      product.target,
      customer,
      eventsOf((row) => `person.${row}@exists.test,${row % 2 ? 'soft' : 'delivered'},${at(row)},`),
      '/api/outcomes/files',
    );
    const queries = [
      'search=zzzz',
      'search=person.7@exists.test',
      'kind=hard',
      'kind=soft',
      'page_number=9900',
    ];
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const query = queries[turns % queries.length] as string;
        return (await customer.send('GET', `/outcomes?page_size=100&${query}`))?.status ?? null;
      },
    };
  },
};

const suppressionImports: Action = {
  name: 'suppression-imports',
  what: 'imports of 100,000 suppressions: new ones, the same, changed ends, nothing readable',
  operations: ['suppressions.importSuppressions'],
  connections: 5,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const files = [
      csvOf((row) => `person.${row}@exists.test,complaint,`),
      csvOf((row) => `person.${row}@exists.test,,2030-01-01`),
      csvOf((row) => `person.${row}@exists.test,,2031-01-01`),
      csvOf((row) => `no address ${row},,`),
      csvOf(() => 'jane@exists.test,,'),
    ];
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const file =
          turns % 2 === 0
            ? (files[(turns / 2) % files.length] as Form)
            : csvOf((row) => `person.${turns}.${row}@exists.test,,`);
        return (await importFile(product.target, customer, file))?.status ?? null;
      },
    };
  },
};

const searchedFiles = 3;

const suppressionReads: Action = {
  name: 'suppression-reads',
  what: 'searches, far pages, changes and exports of 300,000 suppressions',
  operations: [
    'suppressions.listSuppressions',
    'suppressions.listSuppressionChanges',
    'suppressions.exportSuppressions',
  ],
  connections: 8,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    for (let file = 0; file < searchedFiles; file++)
      await importFile(
        product.target,
        customer,
        csvOf((row) => `person.${file}.${row}@exists.test,,`),
      );
    const get = async (query: string) =>
      (await customer.send('GET', `/suppressions${query}`))?.status ?? null;
    let turns = 0;
    const kinds: readonly (() => Promise<number | null>)[] = [
      () => get('?search=zzzz'),
      () => get(`?search=${turns}&page_size=100&page_number=3`),
      () => get('?kind=domain'),
      () => get('?reason=complaint'),
      () => get(`?page_size=100&page_number=${2_900 + (turns % 50)}`),
      () => get('/changes'),
      async () => followLink(product, await customer.send('POST', '/suppressions/export?search=zzzz')),
      async () => followLink(product, await customer.send('POST', '/suppressions/export')),
    ];
    return {
      turn: () => {
        turns += 1;
        return (kinds[turns % kinds.length] as () => Promise<number | null>)();
      },
    };
  },
};

export const outcomeActions: readonly Action[] = [
  alikeOutcomes,
  unsignedEvents,
  ownEvents,
  outcomeFiles,
  outcomeReads,
  suppressionImports,
  suppressionReads,
];
