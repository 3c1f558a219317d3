import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../../platform/files/folder-store.ts';
import type { IdentityAdmin } from '../../platform/identity-admin/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import * as search from '../../testing/search-data.ts';
import { auditLedger } from '../billing/index.ts';
import { completeGuess } from '../guessing/complete-guess.ts';
import { findOpenGuesses, type OpenGuess } from '../guessing/guesses.store.ts';
import {
  createFrom,
  newGuessingCustomer,
  previewPeople,
  startGuess,
  startList,
} from '../guessing/testing/guessing-customer.ts';
import { setFeatureFlag } from '../users/index.ts';
import { writeResults } from '../verification/lists/write-results.ts';
import { queueEvent } from '../webhooks/index.ts';
import { recordsHandlers } from './index.ts';

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    clock,
    env: {
      OIDC_ADMIN_KIND: 'keycloak',
      OIDC_ADMIN_CLIENT_ID: 'assay-admin',
      OIDC_ADMIN_CLIENT_SECRET: 'a secret of the operator',
    },
  });
});
afterAll(() => api.close());

const newLeaver = () => {
  const sub = randomUUID();
  return { sub, email: `leaver-${sub}@example.com` };
};
const remove = (token: string) => api.call('DELETE', '/users/me', { token });
const query = async (text: string, values: unknown[] = []) =>
  (await api.database.pool.query(text, values)).rows;

const findInTables = (text: string) => search.findInTables(api.database.pool, text);
const findInFiles = (text: string) => search.findInFiles(api.filesFolder, text);

async function sendCsv(token: string, path: string, contents: string) {
  const form = new FormData();
  form.append('list_raw', new Blob([contents]), 'people.csv');
  return (await api.call('POST', path, { token, body: form })).json();
}

describe('DELETE /users/me', () => {
  it('403 sign_in_again ten minutes after the sign-in, and the account stays', async () => {
    const token = await api.tokenFor(newLeaver());
    await api.call('GET', '/users/me', { token });
    clock.advance({ minutes: 10, seconds: 1 });

    const answer = await remove(token);

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([403, 'sign_in_again']);
    expect((await api.call('GET', '/users/me', { token })).statusCode).toBe(200);
  });
});

/** A customer with data in every table, each containing their address. */
async function leaverWithEverything() {
  const person = newLeaver();
  // A unique surname of a person whose address the customer guessed.
  const surname = `Xq${person.sub.replace(/[^a-z]/g, '')}`;
  const token = await api.tokenFor(person);
  const { id: userId } = (await api.call('GET', '/users/me', { token })).json();
  const csv = `email\n${person.email}\nother@exists.test\nthird@exists.test\n`;
  await sendCsv(token, '/validations/lists_bulk/validation', csv);
  const { id: listId } = await sendCsv(token, '/validations/lists_bulk', csv);
  await api.call('POST', '/validations/email_validation', { token, body: { email_address: person.email } });
  await api.call('POST', '/users/support_cases', {
    token,
    body: { subject: 'Call Requested', description: `Write to ${person.email}` },
  });
  await setFeatureFlag(api.database.db, userId, { flag: 'guessing_enabled', isOn: true });
  await startGuess(
    api,
    { token, userId },
    { first_name: surname, last_name: surname, domain: 'dotted.test' },
  );
  await startList(api, { token, userId }, `name,domain,note\nJane ${surname},dotted.test,${person.email}\n`);
  await api.call('POST', '/outcomes', {
    token,
    body: { outcomes: [{ email: person.email, kind: 'complaint', at: clock.now() }] },
  });
  await api.call('POST', '/suppressions', { token, body: { entries: [{ target: person.email }] } });
  const { api_token } = (await api.call('POST', '/users/api-keys', { token })).json();
  await api.call('POST', '/users/webhooks', {
    token,
    body: { url: `https://hooks.example/${person.email}` },
  });
  await api.database.db.transaction().execute((tx) =>
    queueEvent(tx, api.queue, {
      ownerId: userId,
      type: 'webhook.test',
      readData: async () => ({ message: person.email }),
      now: clock.now(),
    }),
  );
  const place = { ownerId: userId, listId };
  await query(
    `insert into question_bills (owner_id, day, work_id, provider, questions, proofs, controls, unknown, blocked)
     values ($1, current_date, $2, 'Google', 7, 2, 1, 3, 0)`,
    [userId, listId],
  );
  const [row] = await query('select row_number from list_rows where owner_id = $1 and email_address = $2', [
    userId,
    person.email,
  ]);
  const finding = {
    verdict: 'VALID' as const,
    reason: 'accepted',
    detail: JSON.stringify({ told: person.email }),
  };
  await writeResults(
    { db: api.database.db, queue: api.queue },
    place,
    [{ rowNumber: row?.row_number, ...finding } as never],
    clock.now(),
  );
  return { ...person, token, userId, surname, apiKey: api_token as string };
}

/** Runs the jobs of the deletion and returns the accounts that it deleted at the identity provider. */
async function runAccountJobs(userId: string): Promise<string[]> {
  const deleted: string[] = [];
  const identityAdmin = {
    deleteUser: async (subject: string) => void deleted.push(subject),
  } as Partial<IdentityAdmin> as IdentityAdmin;
  const files = createFolderStore(api.filesFolder);
  const handlers = recordsHandlers({ db: api.database.db, clock, files, identityAdmin });
  const jobs = await query("select id, name, data from queue.job where name like 'account.%'");
  expect(jobs.filter(({ data }) => data.ownerId === userId)).toHaveLength(2);
  for (const { id, name, data } of jobs) {
    const handler = handlers.find(({ job }) => job.name === name);
    await handler?.run(data, { jobId: id, retryCount: 0, signal: new AbortController().signal });
  }
  return deleted;
}

describe('DELETE /users/me', () => {
  it('204 and no personal data in any table or file', async () => {
    const leaver = await leaverWithEverything();
    expect(await findInTables(leaver.email)).toEqual(
      expect.arrayContaining([
        'public.users',
        'public.user_identities',
        'public.list_rows',
        'public.single_validations',
        'public.suppressions',
        'public.support_cases',
        'public.webhooks',
        'public.webhook_deliveries',
        'public.list_evidence',
        'public.outcomes',
      ]),
    );
    expect(await findInTables(leaver.surname)).toEqual(
      expect.arrayContaining(['public.guesses', 'public.guess_list_rows']),
    );
    expect(await findInFiles(leaver.email)).not.toEqual([]);
    expect(await findInFiles(leaver.surname)).not.toEqual([]);

    expect((await remove(leaver.token)).statusCode).toBe(204);
    const deletedIdentities = await runAccountJobs(leaver.userId);

    expect(await findInTables(leaver.email)).toEqual([]);
    expect(await findInTables(leaver.surname)).toEqual([]);
    expect(await findInFiles(leaver.email)).toEqual([]);
    expect(await findInFiles(leaver.surname)).toEqual([]);
    expect(deletedIdentities).toContain(leaver.sub);
    expect(JSON.stringify(api.logLines)).not.toContain(leaver.email);
  });

  it('settles running work: takes credits for its results, gives the rest back, and the ledger audit finds nothing', async () => {
    const leaver = await leaverWithEverything();

    await remove(leaver.token);

    const [wallet] = await query('select balance, held from wallets where owner_id = $1', [leaver.userId]);
    expect(wallet).toEqual({ balance: 999, held: 0 });
    const disagreements = [];
    for await (const disagreement of auditLedger(api.database.db)) disagreements.push(disagreement);
    expect(disagreements).toEqual([]);
  });

  it('401 for its API key afterwards', async () => {
    const { token, apiKey } = await leaverWithEverything();
    await remove(token);

    const answer = await api.call('GET', '/billing/me', { headers: { 'x-api-key': apiKey } });

    expect(answer.statusCode).toBe(401);
  });

  it('401 for a token issued before, also in concurrent calls', async () => {
    const leaver = newLeaver();
    const token = await api.tokenFor(leaver);
    await api.call('GET', '/users/me', { token });
    clock.advance({ seconds: 10 });
    await remove(token);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call('GET', '/users/me', { token })),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(401));
    expect((await remove(token)).statusCode).toBe(401);
    expect(await findInTables(leaver.email)).toEqual([]);
  });

  it('401 for a token that an old session renews afterwards', async () => {
    const leaver = newLeaver();
    const auth_time = Math.floor(clock.now().getTime() / 1_000);
    const token = await api.tokenFor({ ...leaver, auth_time });
    await api.call('GET', '/users/me', { token });
    await remove(token);

    clock.advance({ seconds: 10 });
    const renewed = await api.tokenFor({ ...leaver, auth_time });

    expect((await api.call('GET', '/users/me', { token: renewed })).statusCode).toBe(401);
    expect(await findInTables(leaver.email)).toEqual([]);
  });

  it('the same person may sign up again, with a new account and no second grant', async () => {
    const leaver = newLeaver();
    const before = await api.tokenFor(leaver);
    const { id: oldId } = (await api.call('GET', '/users/me', { token: before })).json();
    await remove(before);

    clock.advance({ minutes: 1 });
    const again = await api.tokenFor(leaver);
    const elsewhere = await api.tokenFor({ ...leaver, sub: randomUUID() });

    const { id: newId } = (await api.call('GET', '/users/me', { token: again })).json();
    expect(newId).not.toBe(oldId);
    for (const token of [again, elsewhere]) {
      expect((await api.call('GET', '/billing/me', { token })).json().balance).toBe(0);
    }
  });

  it('keeps the account at the identity provider of a person who is back before the job runs', async () => {
    const [leaver, returner] = [newLeaver(), newLeaver()];
    const tokens = [await api.tokenFor(leaver), await api.tokenFor(returner)];
    const users = await Promise.all(tokens.map((token) => api.call('GET', '/users/me', { token })));
    for (const token of tokens) await remove(token);

    clock.advance({ minutes: 1 });
    await api.call('GET', '/users/me', { token: await api.tokenFor(returner) });

    const deleted = await runAccountJobs(users[0]?.json().id);
    expect(deleted).toContain(leaver.sub);
    expect(deleted).not.toContain(returner.sub);
  });

  it('401 for calls that run during the deletion, without a deadlock', async () => {
    const token = await api.tokenFor(newLeaver());
    const { id: userId } = (await api.call('GET', '/users/me', { token })).json();
    await setFeatureFlag(api.database.db, userId, { flag: 'guessing_enabled', isOn: true });
    const people = (
      await previewPeople(api, { token, userId }, 'name,domain\nJane Doe,dotted.test\n')
    ).json();
    const guess = { first_name: 'Jane', last_name: 'Doe', domain: 'dotted.test' };
    const calls = [
      () => createFrom(api, { token, userId }, { upload_id: people.upload_id }),
      () => api.call('POST', '/validations/email_validation', { token, body: { email: 'jane@exists.test' } }),
      () => api.call('POST', '/validations/lists', { token, body: { emails: ['jane@exists.test'] } }),
      () => api.call('POST', '/users/support_cases', { token, body: { subject: 'a', description: 'b' } }),
      () => api.call('POST', '/users/api-keys', { token }),
      () => api.call('PATCH', '/users/me', { token, body: { first_name: 'Grace' } }),
      () => startGuess(api, { token, userId }, guess),
    ];
    const deletion = await api.database.pool.connect();
    await deletion.query('begin');
    await deletion.query('select 1 from accounts where id = $1 for update', [userId]);
    await deletion.query('select 1 from users where id = $1 for update', [userId]);

    const answers = Promise.all(calls.map((call) => call()));
    const countWaiting = async () =>
      (
        await query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).length;
    // The others wait for these, because a customer has no more than a share of the connections.
    await expect.poll(countWaiting).toBe(4);
    await deletion.query('delete from accounts where id = $1', [userId]);
    await deletion.query('delete from users where id = $1', [userId]);
    await deletion.query('commit');
    deletion.release();

    const [ofUpload, ...others] = (await answers).map(({ statusCode }) => statusCode);
    // 404 if it looked for its file only after that was deleted too.
    expect([401, 404]).toContain(ofUpload);
    expect(others).toEqual(others.map(() => 401));
  });

  it('the last result of a list does not wait for the deletion, which may be waiting for that list', async () => {
    const customer = await newGuessingCustomer(api);
    const { token, userId: ownerId } = customer;
    const body = { emails: ['jane@exists.test'] };
    const { id: listId } = (await api.call('POST', '/validations/lists', { token, body })).json();
    await startList(api, customer, 'name,domain\nJane Doe,dotted.test\n');
    const [{ id: guessId }] = (await query('select id from guesses where owner_id = $1', [ownerId])) as [
      { id: string },
    ];
    const [guess] = (await findOpenGuesses(api.database.db, { ownerId, guessIds: [guessId] })) as [OpenGuess];
    const deletion = await api.database.pool.connect();
    try {
      await deletion.query('begin');
      await deletion.query('select 1 from accounts where id = $1 for update', [ownerId]);
      await deletion.query('select 1 from users where id = $1 for update', [ownerId]);

      const traits = { flags: 0, mxProvider: null, suggestion: null };
      const finding = {
        rowNumber: 1,
        verdict: 'VALID',
        reason: 'accepted',
        ...traits,
        detail: '{}',
      } as const;
      const { db } = api.database;
      await writeResults({ db, queue: api.queue }, { ownerId, listId }, [finding], clock.now());
      const end = { outcome: 'NOT_FOUND', emailAddress: null, reason: 'rejected', decidedBy: null } as const;
      await completeGuess(db, guess, end, clock.now());

      const lists = 'select status from lists where owner_id = $1';
      expect(await query(lists, [ownerId])).toEqual([{ status: 'COMPLETE' }, { status: 'COMPLETE' }]);
    } finally {
      await deletion.query('rollback');
      deletion.release();
    }
  });

  it('§6 401 when signed out, 403 by API key, and other accounts stay unchanged', async () => {
    const stayer = await leaverWithEverything();

    expect((await api.call('DELETE', '/users/me')).statusCode).toBe(401);
    const byKey = await api.call('DELETE', '/users/me', { headers: { 'x-api-key': stayer.apiKey } });
    expect(byKey.statusCode).toBe(403);
    await remove((await leaverWithEverything()).token);

    expect((await api.call('GET', '/users/me', { token: stayer.token })).statusCode).toBe(200);
    expect((await api.call('GET', '/validations/lists', { token: stayer.token })).json().total).toBe(1);
  });
});
