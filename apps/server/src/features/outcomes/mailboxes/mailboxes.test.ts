import { randomUUID } from 'node:crypto';
import { MAILBOX_TROUBLES } from '@assay/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sealSecret } from '../../../platform/crypto/rotated-secrets.ts';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { openReadingPool, type ReadingPool } from '../../../platform/reading/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import type { ImapOptions, OpenFolder } from './imap-client.ts';
import { mailboxesHandlers } from './mailboxes.handlers.ts';
import { readMailboxesJob, readMailboxJob } from './mailboxes.jobs.ts';
import { insertMailbox, mailboxPasswords } from './mailboxes.store.ts';
import { readFolder } from './read-mailbox.ts';
import { type Dovecot, hasDovecot, startDovecot } from './testing/dovecot.ts';
import { startOddImap } from './testing/odd-imap.ts';

const clock = movableClock();
const { signal } = new AbortController();
const at = new Date(clock.now().getTime() - 3_600_000);
const bounce = (recipient: string, id: string) =>
  `From: MAILER-DAEMON@mx.test\r\nSubject: Undelivered Mail Returned to Sender\r\nDate: ${at.toUTCString()}\r\nMessage-ID: <${id}@mx.test>\r\n\r\n<${recipient}>: host mx.test said:\r\n    550 5.1.1 User unknown\r\n`;
const letter =
  'From: eva@exists.test\r\nSubject: Hello\r\nDate: Thu, 19 Mar 2026 09:30:00 +0000\r\n\r\nHow are you?\r\n';
const refusal = (answer: { statusCode: number; json: () => { errors: { code: string }[] } }) => [
  answer.statusCode,
  answer.json().errors[0]?.code,
];

let readingPool: ReadingPool;
beforeAll(() => {
  const logger = createLogger({ level: 'silent', process: 'test' });
  readingPool = openReadingPool({ logger, metrics: createMetrics() });
});
afterAll(() => readingPool.close());

async function newCustomer(api: TestApi) {
  const token = await api.tokenFor();
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json();
  return {
    token,
    ownerId,
    list: async () => (await api.call('GET', '/outcomes/mailboxes', { token })).json().results,
    outcomes: async () => (await api.call('GET', '/outcomes?page_size=100', { token })).json(),
  };
}

describe.skipIf(!hasDovecot)('a mailbox at Dovecot', () => {
  let dovecot: Dovecot;
  let api: TestApi;
  let customer: Awaited<ReturnType<typeof newCustomer>>;
  beforeAll(async () => {
    dovecot = await startDovecot();
    api = await startTestApi({ clock, imap: dovecot.options });
  });
  afterAll(async () => {
    await api.close();
    await dovecot.close();
  });
  beforeEach(async () => {
    customer = await newCustomer(api);
  });

  const connect = (changes: object = {}) => {
    const { host, userName, password } = dovecot.login;
    const body = { host, user_name: userName, password, ...changes };
    return api.call('POST', '/outcomes/mailboxes', { token: customer.token, body });
  };
  const handlers = (options = dovecot.options) =>
    mailboxesHandlers({
      ...api.database,
      queue: api.queue,
      clock,
      readingPool,
      reactions: [],
      secrets: createSecrets(api.config.secret),
      imap: options,
    });
  const read = async (options = dovecot.options) => {
    const handler = handlers(options).find(({ job }) => job.name === readMailboxJob.name);
    for (const { id } of await customer.list())
      await handler?.run({ ownerId: customer.ownerId, id }, { signal } as never);
  };

  it('brings what came back, goes on where it was, and changes nothing in the mailbox', async () => {
    await dovecot.deliver(bounce('jane@exists.test', 'first'));
    await dovecot.deliver(letter);
    const before = (await dovecot.files()).length;
    const connected = await connect();
    expect([connected.statusCode, connected.json()]).toMatchObject([
      201,
      {
        host: 'imap.bounces.test',
        user_name: 'bounces',
        folder: 'INBOX',
        trouble: null,
        last_read_date: null,
        read_mails: 0,
      },
    ]);
    expect(connected.body).not.toContain(dovecot.login.password);

    await read();
    expect((await customer.outcomes()).results).toMatchObject([
      { email: 'jane@exists.test', kind: 'hard', source: 'mailbox' },
    ]);
    expect(await customer.list()).toMatchObject([{ trouble: null, read_mails: before, found_outcomes: 1 }]);

    await dovecot.deliver(bounce('max@exists.test', 'second'));
    await read();
    await read();
    expect((await customer.outcomes()).results.map(({ email }: { email: string }) => email)).toEqual([
      'max@exists.test',
      'jane@exists.test',
    ]);
    expect(await customer.list()).toMatchObject([{ read_mails: before + 1, found_outcomes: 2 }]);
    // Flags are behind the colon of a file's name, and a folder that was not only looked at moves its mails.
    expect((await dovecot.files()).filter((name) => /:2,\w/.test(name))).toEqual([]);
  });

  it('reads from the beginning when its mails have new numbers, and keeps each event once', async () => {
    await dovecot.deliver(bounce('ada@exists.test', 'third'));
    await connect();
    await read();
    const { total } = await customer.outcomes();
    const [{ read_mails: mails }] = await customer.list();
    await dovecot.forgetNumbers();
    await read();
    expect((await customer.outcomes()).total).toBe(total);
    expect((await customer.list())[0].read_mails).toBe(2 * mails);
  });

  it('is stored with its password encrypted, and takes another one', async () => {
    const { id } = (await connect()).json();
    const { rows } = await api.database.pool.query('select * from outcome_mailboxes where id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(dovecot.login.password);
    const change = (password: string) =>
      api.call('PUT', `/outcomes/mailboxes/${id}`, { token: customer.token, body: { password } });
    expect(refusal(await change('wrong'))).toEqual([422, 'outcome_mailbox_not_open']);
    expect((await change(dovecot.login.password)).statusCode).toBe(200);
    expect(JSON.stringify(api.logLines)).not.toContain(dovecot.login.password);
  });

  it.each([
    ['sign_in', { password: 'wrong' }],
    ['folder', { folder: 'Nothing' }],
  ] as const)('422 %s while connecting', async (trouble, changes) => {
    const answer = await connect(changes);
    expect(refusal(answer)).toEqual([422, 'outcome_mailbox_not_open']);
    expect(answer.json().errors[0]).toMatchObject({ message: MAILBOX_TROUBLES[trouble], meta: { trouble } });
    expect(await customer.list()).toEqual([]);
  });

  it.each([
    ['not_allowed', { allowRanges: [] }],
    ['certificate', { ca: undefined }],
    ['not_reached', { port: 1, allowRanges: ['127.0.0.1/32@1'] }],
  ])(
    'says %s when it cannot be read, rests longer each time, and is well again',
    async (trouble, changes) => {
      await connect();
      const options = { ...dovecot.options, ...changes } as typeof dovecot.options;
      const waits: number[] = [];
      for (let run = 0; run < 2; run++) {
        await read(options);
        const { rows } = await api.database.pool.query(
          'select extract(epoch from due_at - now())::int as wait from outcome_mailboxes where owner_id = $1',
          [customer.ownerId],
        );
        waits.push(rows[0].wait);
      }
      expect(await customer.list()).toMatchObject([{ trouble, last_read_date: null }]);
      expect(waits[1]).toBeGreaterThan(1.5 * (waits[0] as number));
      await read();
      expect(await customer.list()).toMatchObject([{ trouble: null }]);
    },
  );

  it('is claimed by one job when it is due, and rests while its account is suspended', async () => {
    await connect();
    const claim = () =>
      handlers()
        .find(({ job }) => job.name === readMailboxesJob.name)
        ?.run({}, { signal } as never);
    const waiting = async () =>
      (
        await api.database.pool.query(
          "select count(*)::int as count from queue.job where name = $1 and data->>'ownerId' = $2",
          [readMailboxJob.name, customer.ownerId],
        )
      ).rows[0].count;
    await claim();
    await claim();
    expect(await waiting()).toBe(1);
    const { pool } = api.database;
    await pool.query('update outcome_mailboxes set due_at = now() where owner_id = $1', [customer.ownerId]);
    await pool.query("update accounts set standing = 'suspended' where id = $1", [customer.ownerId]);
    await claim();
    expect(await waiting()).toBe(1);
  });

  it('409 for a sixth one, 404 for one of another customer, 204 when it is deleted', async () => {
    for (let count = 0; count < 5; count++) expect((await connect()).statusCode).toBe(201);
    expect(refusal(await connect())).toEqual([409, 'too_many_outcome_mailboxes']);
    const [{ id }] = await customer.list();
    const stranger = await newCustomer(api);
    const remove = (token: string) => api.call('DELETE', `/outcomes/mailboxes/${id}`, { token });
    expect(refusal(await remove(stranger.token))).toEqual([404, 'outcome_mailbox_not_found']);
    expect((await remove(customer.token)).statusCode).toBe(204);
    expect(await customer.list()).toHaveLength(4);
  });

  it('429 after 20 tries in ten minutes', async () => {
    await connect();
    await api.database.pool.query("update attempts set tried = 20 where bucket = 'outcome_mailbox'");
    expect((await connect()).statusCode).toBe(429);
  });
});

describe('readFolder', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(() => api.close());

  async function connected(ownerId: string) {
    const { rows } = await api.database.pool.query(
      `insert into outcome_mailboxes (owner_id, id, host, user_name, sealed_secret, folder, due_at, created_at)
       values ($1, gen_random_uuid(), 'imap.example.com', 'bounces', '', 'INBOX', now(), now()) returning id`,
      [ownerId],
    );
    return { ownerId: ownerId as AccountId, id: rows[0].id as string };
  }
  const readMails = async (key: { readonly id: string }): Promise<number> =>
    (await api.database.pool.query('select read_mails from outcome_mailboxes where id = $1', [key.id]))
      .rows[0]?.read_mails;
  const bounces = (count: number) =>
    new Map(Array.from({ length: count }, (_, n) => [n + 1, bounce(`p${n}@exists.test`, `m${n}`)]));
  const start = { uidValidity: null, lastUid: 0 };

  /** A folder of mails by number, that notes what is asked for. */
  function folderOf(mails: ReadonlyMap<number, string>, uidNext: number) {
    const asked = { ranges: 0, mails: 0 };
    const folder: OpenFolder = {
      uidValidity: 1,
      uidNext,
      sizes: async ({ from, to }) => {
        asked.ranges += 1;
        // Some hosts answer the last mail to any range.
        return [...mails]
          .filter(([uid]) => (uid >= from && uid <= to) || uid === uidNext - 1)
          .map(([uid, mail]) => ({ uid, byteCount: mail.length }));
      },
      mails: async (uids) => {
        asked.mails += uids.length;
        return uids.map((uid) => ({ uid, bytes: Buffer.from(mails.get(uid) ?? '') }));
      },
    };
    return { folder, asked };
  }

  it('bounds a run, goes on behind its last mail, and passes over numbers without mails in a few steps', async () => {
    const { ownerId, outcomes } = await newCustomer(api);
    const parts = { ...api.database, queue: api.queue, clock, readingPool, reactions: [] };
    const key = await connected(ownerId);
    const mails = new Map(
      Array.from({ length: 1_500 }, (_, place) => [
        (place < 1_200 ? place : 40_000_000 - place) + 1,
        bounce(`p${place}@exists.test`, `m${place}`),
      ]),
    );
    const { folder, asked } = folderOf(mails, 40_000_000);
    const progress = async () => {
      const { rows: found } = await api.database.pool.query(
        'select uid_validity as "uidValidity", last_uid as "lastUid", read_mails as mails from outcome_mailboxes where id = $1',
        [key.id],
      );
      return found[0];
    };

    expect(await readFolder(parts, key, folder, { uidValidity: null, lastUid: 0 }, signal)).toEqual({
      isAtEnd: false,
    });
    expect((await progress()).mails).toBe(1_000);
    for (let run = 0; run < 5; run++) await readFolder(parts, key, folder, await progress(), signal);
    expect((await progress()).mails).toBe(1_500);
    expect([asked.mails, (await outcomes()).total]).toEqual([1_500, 1_500]);
    expect(asked.ranges).toBeLessThan(1_000);
  });

  it('stops when another run reads the same mailbox, so that no mail counts twice', async () => {
    const { ownerId, outcomes } = await newCustomer(api);
    const parts = { ...api.database, queue: api.queue, clock, readingPool, reactions: [] };
    const key = await connected(ownerId);
    const { folder } = folderOf(bounces(300), 301);
    const slow: OpenFolder = {
      ...folder,
      mails: async (...asked) => {
        await readFolder(parts, key, folder, start, signal);
        return folder.mails(...asked);
      },
    };
    await readFolder(parts, key, slow, start, signal);
    expect([await readMails(key), (await outcomes()).total]).toEqual([300, 300]);
  });

  it('stops when the mailbox is disconnected while it is read', async () => {
    const { ownerId, outcomes } = await newCustomer(api);
    const parts = { ...api.database, queue: api.queue, clock, readingPool, reactions: [] };
    const key = await connected(ownerId);
    const { folder, asked } = folderOf(bounces(900), 901);
    const left: OpenFolder = {
      ...folder,
      mails: async (...uids) => {
        await api.database.pool.query('delete from outcome_mailboxes where id = $1', [key.id]);
        return folder.mails(...uids);
      },
    };
    expect(await readFolder(parts, key, left, start, signal)).toEqual({ isAtEnd: true });
    expect(asked.mails).toBeLessThan(300);
    expect((await outcomes()).total).toBe(asked.mails);
  });
});

describe('the jobs of mailboxes', () => {
  let host: Awaited<ReturnType<typeof startOddImap>> | undefined;
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ clock });
  });
  afterAll(async () => {
    await host?.close();
    await api.close();
  });
  const jobs = (imap: ImapOptions) => {
    const handlers = mailboxesHandlers({
      ...api.database,
      queue: api.queue,
      clock,
      readingPool,
      reactions: [],
      secrets: createSecrets(api.config.secret),
      imap,
    });
    return (name: string, payload: object) =>
      handlers.find(({ job }) => job.name === name)?.run(payload, { signal } as never);
  };
  async function connected(ownerId: string) {
    const id = randomUUID();
    const sealedPassword = sealSecret(
      createSecrets(api.config.secret),
      mailboxPasswords,
      id,
      'a secret word',
    );
    await api.database.db.transaction().execute((tx) =>
      insertMailbox(tx, {
        ownerId: ownerId as AccountId,
        id,
        host: 'imap.bounces.test',
        userName: 'bounces',
        folder: 'INBOX',
        sealedPassword,
        now: clock.now(),
      }),
    );
    return { ownerId, id };
  }

  it('read one mailbox of each account at a time', async () => {
    const [one, other] = [await newCustomer(api), await newCustomer(api)];
    const keys = [await connected(one.ownerId), await connected(one.ownerId), await connected(other.ownerId)];
    const run = jobs({ allowRanges: [] });
    const waiting = async () =>
      (
        await api.database.pool.query("select data->>'id' as id from queue.job where name = $1", [
          readMailboxJob.name,
        ])
      ).rows.map(({ id }) => id);
    await run(readMailboxesJob.name, {});
    const first = await waiting();
    expect(first).toHaveLength(2);
    expect(first).toContain(keys[2]?.id);
    await run(readMailboxesJob.name, {});
    expect((await waiting()).sort()).toEqual(keys.map(({ id }) => id).sort());
  });

  it('end quietly when the account is deleted while its mailbox is read', async () => {
    const { ownerId } = await newCustomer(api);
    const key = await connected(ownerId);
    const report = bounce('jane@exists.test', 'gone');
    let deletion: Promise<unknown> | undefined;
    host = await startOddImap({
      FETCH: ({ text }) => {
        if (text.includes('RFC822.SIZE')) return [`* 1 FETCH (UID 1 RFC822.SIZE ${report.length})`];
        deletion = api.database.pool.query('delete from accounts where id = $1', [ownerId]);
        return [`* 1 FETCH (UID 1 BODY[]<0> {${report.length}}\r\n${report})`];
      },
    });
    await jobs(host.options)(readMailboxJob.name, key);
    await deletion;
    const { rows } = await api.database.pool.query('select 1 from outcomes where owner_id = $1', [ownerId]);
    expect(rows).toEqual([]);
  });
});
