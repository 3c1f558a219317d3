import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { createCheckFinder } from '../verification/index.ts';
import { type CheckFinder, matchOutcomes } from './match-outcomes.ts';
import { type OutcomeOrigin, type OutcomeReport, slack } from './outcome.ts';
import { type OutcomeParts, recordOutcomes } from './record-outcomes.ts';

// A world of checks with planted events: each is reported by several ways, twice each, in no order, while the work is killed again and again.
// ASSAY_WORLD_CHECKS=100000 makes the large one.
const checkCount = Number(process.env.ASSAY_WORLD_CHECKS ?? 3_000);
const listCount = 10;
const eventCount = Math.ceil(checkCount * 0.03);
const seed = Number(process.env.ASSAY_WORLD_SEED ?? 34);
const start = Date.UTC(2026, 9, 1);
const hourMs = 3_600_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

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

interface Report {
  readonly origin: OutcomeOrigin;
  readonly report: OutcomeReport;
}

const feedId = '0b8f4c1e-5a72-4d0e-9c3b-2f6a1d7e8b90';

/** What each way makes of an event: a feed has an id and words, a file the minute only, a mail comes later. */
function reportsOf(email: string, kind: Kind, at: Date, id: number): Report[] {
  const said = { ...findings[kind], rule: 'said', words: '550 said by the host' };
  const silent = { ...findings[kind], rule: 'silent', words: 'silent' };
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  return [
    {
      origin: { source: 'sendgrid', sourceId: feedId },
      report: { email, finding: said, at, eventId: `event-${id}` },
    },
    {
      origin: { source: 'api', sourceId: null },
      report: { email: email.toUpperCase(), finding: silent, at },
    },
    {
      origin: { source: 'file', sourceId: null },
      report: { email, finding: silent, at: minute, slackSeconds: slack.minute },
    },
    {
      origin: { source: 'mailbox', sourceId: null },
      report: { email, finding: said, at: new Date(at.getTime() + 120_000), slackSeconds: slack.mail },
    },
  ];
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
  const ownerId = (await api.call('GET', '/users/me', { token })).json().id as string;
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
      const all = reportsOf(email, kind, at, id);
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
  for (let from = 0; from < reports.length; from += 150) {
    const some = reports.slice(from, from + 150);
    for (const ofWay of Map.groupBy(some, ({ origin }) => origin.source).values()) {
      const { origin } = ofWay[0] as Report;
      await killedSometimes(() =>
        recordOutcomes(
          parts,
          ownerId,
          origin,
          ofWay.map(({ report }) => report),
        ),
      );
    }
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
