import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { openReadingPool, type ReadingPool } from '../../platform/reading/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { inOrder } from '../uploads/index.ts';
import { createCheckFinder } from '../verification/index.ts';
import { readOutcomeFileJob } from './files/outcome-file.job.ts';
import type { OpenFolder } from './mailboxes/imap-client.ts';
import { readFolder } from './mailboxes/read-mailbox.ts';
import { type CheckFinder, matchOutcomes } from './match-outcomes.ts';
import type { OutcomeOrigin, OutcomeReport } from './outcome.ts';
import { type OutcomeParts, recordOutcomes } from './record-outcomes.ts';
import { readPage } from './reported.ts';

// A world of checks with planted events: each is reported by several ways, twice each, in no order, while the work is killed again and again.
// ASSAY_WORLD_CHECKS=100000 makes the large one.
const checkCount = Number(process.env.ASSAY_WORLD_CHECKS ?? 3_000);
const listCount = 10;
const eventCount = Math.ceil(checkCount * 0.03);
const seed = Number(process.env.ASSAY_WORLD_SEED ?? 34);
const start = Date.UTC(2026, 9, 1);
const hourMs = 3_600_000;

let api: TestApi;
let readingPool: ReadingPool;
const { signal } = new AbortController();
beforeAll(async () => {
  api = await startTestApi();
  readingPool = openReadingPool({
    logger: createLogger({ level: 'silent', process: 'test' }),
    metrics: createMetrics(),
  });
});
afterAll(async () => {
  await readingPool.close();
  await api.close();
});

/** The same numbers for the same seed, from 0 up to, but not including, 1. */
function numbersOf(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const next = numbersOf(seed);
const below = (count: number) => Math.floor(next() * count);
function shuffled<Item>(items: readonly Item[]): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [all[at], all[other]] = [all[other] as Item, all[at] as Item];
  }
  return all;
}

const findings = {
  hard: { class: 'hard', subject: 'mailbox', action: 'suppress', reason: 'no_such_mailbox' },
  soft: { class: 'soft', subject: 'mailbox', action: 'retry', reason: 'mailbox_full' },
  complaint: { class: 'complaint', subject: 'mailbox', action: 'suppress', reason: 'complaint' },
  delivered: { class: 'delivered', subject: 'mailbox', action: 'none', reason: 'delivered' },
} as const;
type Kind = keyof typeof findings;
const kinds = Object.keys(findings) as Kind[];

const ways = ['sendgrid', 'api', 'file', 'mailbox'] as const;
type Way = (typeof ways)[number];
interface Report {
  readonly way: Way;
  readonly email: string;
  readonly kind: Kind;
  readonly at: Date;
  readonly id: number;
}

const feedId = '0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90';
/** The readers refuse what is in the future. */
const clock: Clock = { now: () => new Date(Date.UTC(2027, 0, 1)) };

/** A feed has an id and words; a program has neither. */
function reportOf({ way, email, kind, at, id }: Report): OutcomeReport {
  const said = { ...findings[kind], rule: 'said', words: '550 said by the host' };
  const silent = { ...findings[kind], rule: 'silent', words: 'silent' };
  return way === 'sendgrid'
    ? { email, finding: said, at, eventId: `event-${id}` }
    : { email: email.toUpperCase(), finding: silent, at };
}

/** A file that knows the minute only. */
const fileOf = (reports: readonly Report[]): Buffer =>
  Buffer.from(
    [
      'email,event,time',
      ...reports.map(({ email, kind, at }) => `${email},${kind},${at.toISOString().slice(0, 16)}Z`),
    ].join('\n'),
  );

const recipientsPart = (email: string, action: string, status: string) =>
  `Reporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; ${email}\r\nAction: ${action}\r\nStatus: ${status}\r\n`;
const mailParts: Readonly<Record<Kind, (email: string) => readonly [type: string, text: string]>> = {
  hard: (email) => ['delivery-status', recipientsPart(email, 'failed', '5.1.1')],
  soft: (email) => ['delivery-status', recipientsPart(email, 'failed', '4.2.2')],
  delivered: (email) => ['delivery-status', recipientsPart(email, 'delivered', '2.0.0')],
  complaint: (email) => [
    'feedback-report',
    `Feedback-Type: abuse\r\nUser-Agent: test\r\nVersion: 1\r\nOriginal-Rcpt-To: ${email}\r\n`,
  ],
};

/** A mail that comes some minutes after the event. */
function mailOf({ email, kind, at }: Report): Buffer {
  const [type, text] = mailParts[kind](email);
  const date = new Date(at.getTime() + 120_000).toUTCString();
  return Buffer.from(
    `From: MAILER-DAEMON@mx.test\r\nSubject: Report\r\nDate: ${date}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=${type}; boundary=b\r\n\r\n--b\r\nContent-Type: message/${type}\r\n\r\n${text}\r\n--b--\r\n`,
  );
}

/** A mailbox into which mails are delivered. Its numbers begin anew now and then. */
class Mailbox implements OpenFolder {
  readonly #mails: Buffer[] = [];
  uidValidity = 1;
  get uidNext(): number {
    return this.#mails.length + 1;
  }
  deliver(mails: readonly Buffer[]): void {
    this.#mails.push(...mails);
  }
  async sizes({ from, to }: { readonly from: number; readonly to: number }) {
    return this.#mails.slice(from - 1, to).map(({ length }, at) => ({ uid: from + at, byteCount: length }));
  }
  async mails(uids: readonly number[]) {
    return uids.map((uid) => ({ uid, bytes: this.#mails[uid - 1] as Buffer }));
  }
}

class Killed extends Error {}
const killedSometimes = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
};
const perhapsKill = (share: number): void => {
  if (next() < share) throw new Killed();
};

it(`keeps and matches ${eventCount} events of ${checkCount} checks exactly`, async () => {
  const { db, pool } = api.database;
  const token = await api.tokenFor();
  const ownerId = (await api.call('GET', '/users/me', { token })).json().id as AccountId;
  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  const perList = checkCount / listCount;
  // Every address is in two lists that follow each other, so that the newest check decides.
  const listOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  for (let list = 0; list < listCount; list++) {
    const checkedAt = new Date(start + list * 24 * hourMs);
    await query(
      `insert into lists (kind, owner_id, id, name, status, delimiter, total_emails, created_at, completed_at)
       values ('emails', $1, $2, 'list', 'COMPLETE', ',', $3, $4, $4)`,
      [ownerId, listOf(list), perList, checkedAt],
    );
    await query(
      `insert into list_rows (owner_id, list_id, row_number, cells, email_address)
       select $1, $2, row, address, address from generate_series(1, $3) row,
         lateral (select 'person' || ($4::int / 2 * $3::int + row) || '@company.example' as address) named`,
      [ownerId, listOf(list), perList, list],
    );
    await query(
      `insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
       select $1, $2, row, 'VALID', 'mailbox_accepted', $4 from generate_series(1, $3) row`,
      [ownerId, listOf(list), perList, checkedAt],
    );
  }
  const resultsBefore = await query(
    'select md5(string_agg(r::text, $2 order by list_id, row_number)) from list_results r where owner_id = $1',
    [ownerId, ','],
  );

  // Events of one address are an hour apart, so that a mail about one is not taken for the next.
  const planted = new Map<string, { email: string; kind: Kind; at: Date }>();
  while (planted.size < eventCount) {
    const pair = below(listCount / 2);
    const email = `person${pair * perList + 1 + below(perList)}@company.example`;
    const at = new Date(start + below(40 * 24) * hourMs + 1_000 * below(1_200));
    planted.set(`${email} ${Math.floor(at.getTime() / hourMs)}`, {
      email,
      kind: kinds[below(kinds.length)] as Kind,
      at,
    });
  }
  const reports = shuffled(
    [...planted.values()].flatMap(({ email, kind, at }, id) => {
      const all = ways.map((way) => ({ way, email, kind, at, id }));
      return [...all, ...all];
    }),
  );

  const parts: OutcomeParts = {
    db,
    queue: api.queue,
    clock: systemClock,
    reactions: [async () => perhapsKill(0.2)],
  };
  const finder = createCheckFinder(db);
  const dyingFinder: CheckFinder = {
    async *find(...asked) {
      for await (const found of finder.find(...asked)) {
        perhapsKill(0.2);
        yield found;
      }
    },
  };
  const match = () => matchOutcomes({ db, checks: dyingFinder }, ownerId, new AbortController().signal);
  const record = (origin: OutcomeOrigin, some: readonly OutcomeReport[]) =>
    killedSometimes(() => recordOutcomes(parts, ownerId, origin, some));
  const mailbox = new Mailbox();
  const key = { ownerId, id: randomUUID() };
  await query(
    `insert into outcome_mailboxes (owner_id, id, host, user_name, sealed_secret, folder, due_at, created_at)
     values ($1, $2, 'imap.example.com', 'bounces', '', 'INBOX', now(), now())`,
    [ownerId, key.id],
  );
  const readMailbox = async (): Promise<void> => {
    for (let isAtEnd = false; !isAtEnd; ) {
      const [place] = await query(
        'select uid_validity as "uidValidity", last_uid as "lastUid" from outcome_mailboxes where id = $1',
        [key.id],
      );
      ({ isAtEnd } = await readFolder({ ...parts, clock, readingPool }, key, mailbox, place, signal));
    }
  };
  const bring: Readonly<Record<Way, (some: readonly Report[]) => Promise<unknown>>> = {
    sendgrid: (some) => record({ source: 'sendgrid', sourceId: feedId }, some.map(reportOf)),
    api: (some) => record({ source: 'api', sourceId: null }, some.map(reportOf)),
    file: async (some) => {
      const bytes = fileOf(some);
      const file = { ownerId, byteCount: bytes.length, bytes: inOrder([bytes]), signal };
      const options = { wishes: { columns: {} }, now: clock.now(), isWanted: true };
      const { output, result } = readingPool.read(readOutcomeFileJob, file, options);
      const pages: Buffer[] = await Array.fromAsync(output);
      expect((await result).understood).toBe(some.length);
      await record({ source: 'file', sourceId: null }, pages.flatMap(readPage));
    },
    mailbox: async (some) => {
      mailbox.deliver(some.map(mailOf));
      if (next() < 0.02) mailbox.uidValidity += 1;
      await killedSometimes(readMailbox);
    },
  };
  for (let from = 0; from < reports.length; from += 150) {
    const some = reports.slice(from, from + 150);
    for (const [way, ofWay] of Map.groupBy(some, (report) => report.way)) await bring[way](ofWay);
    if (next() < 0.2) await killedSometimes(() => Promise.all([match(), match()]));
  }
  await killedSometimes(match);

  const expected = [...planted.values()]
    .map(({ email, kind, at }) => {
      const number = Number(/\d+/.exec(email)?.[0]);
      const pair = Math.floor((number - 1) / perList);
      const list = [pair * 2 + 1, pair * 2].find((one) => start + one * 24 * hourMs <= at.getTime());
      const row = number - pair * perList;
      return [
        email,
        kind,
        at.toISOString(),
        'sendgrid',
        list === undefined ? null : listOf(list),
        list === undefined ? null : row,
      ];
    })
    .sort((one, other) => (one.join() < other.join() ? -1 : 1));
  const kept = await query(
    `select outcome.email_address, kind, happened_at, source, check_id, row_number
     from outcomes outcome left join outcome_matches match
       on match.owner_id = outcome.owner_id and match.outcome_number = outcome.number
     where outcome.owner_id = $1`,
    [ownerId],
  );
  const table = kept
    .map((row) => [
      row.email_address,
      row.kind,
      row.happened_at.toISOString(),
      row.source,
      row.check_id,
      row.row_number,
    ])
    .sort((one, other) => (one.join() < other.join() ? -1 : 1));
  expect(table).toEqual(expected);
  expect(
    await query(
      'select md5(string_agg(r::text, $2 order by list_id, row_number)) from list_results r where owner_id = $1',
      [ownerId, ','],
    ),
  ).toEqual(resultsBefore);
}, 600_000);
