import { randomUUID } from 'node:crypto';
import type { GuessList, GuessPreview } from '@assay/contract';
import { createVerifier } from '@assay/verifier';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import type { Reading } from '../../../platform/database/reads.ts';
import { startTestApi } from '../../../testing/api.ts';
import { productOfFile } from '../../../testing/product.ts';
import { greetRealtime } from '../../../testing/realtime-client.ts';
import { startTestWorker } from '../../../testing/worker.ts';
import { findOpenGuesses } from '../guesses.store.ts';
import { proveGuesses } from '../prove-guesses.ts';
import {
  audit,
  balanceOf,
  createFrom,
  type GuessingCustomer,
  newGuessingCustomer,
  previewPeople,
  startList,
  untilComplete,
} from '../testing/guessing-customer.ts';
import { exportPeople } from './export-guess-list.ts';

const { api, worker } = await productOfFile();

const people = [
  'First name,Last name,Domain,Note',
  'Jane,Doe,dotted.test,"met, twice"',
  'John,Smith,dotted.test,',
  'JANE,DOE,www.dotted.test,again',
  'Ann,Lee,catch-all.test,',
  'Nobody,Here,dotted.test,',
  'Joe,Roe,gmail.com,private',
  'Kim,Poe,blocked-banner.test,',
].join('\n');

const listsOf = async ({ token }: GuessingCustomer) =>
  (await api.call('GET', '/guessing/lists', { token })).json();
const exported = async ({ token }: GuessingCustomer, listId: string, query: string): Promise<string> => {
  const order = await api.call('POST', `/guessing/lists/${listId}/export${query}`, { token });
  const { pathname, search } = new URL(order.json().download_link);
  return (await api.app.inject({ method: 'GET', url: pathname + search })).body;
};

describe('POST /guessing/lists_bulk/validation', () => {
  it('200 with the highest price, the rows left out and the detected columns', async () => {
    const customer = await newGuessingCustomer(api);

    const answer = await previewPeople(api, customer, people);

    expect(answer.statusCode).toBe(200);
    expect(answer.json<GuessPreview>()).toMatchObject({
      total_credits: 5,
      metrics: { billable: 5, non_billable: 1, duplicated: 1 },
      detected: {
        encoding: 'utf-8',
        delimiter: ',',
        has_header_row: true,
        rows: 8,
        columns: expect.arrayContaining([
          { field: 'first_name', column: 'First name', number: 1 },
          { field: 'domain', column: 'Domain', number: 3 },
        ]),
      },
    });
    expect(await balanceOf(api, customer)).toBe(1_000);
  });

  it('reads other encodings', async () => {
    const customer = await newGuessingCustomer(api);
    const bytes = Uint8Array.from(
      Buffer.from('Vorname;Nachname;Website\nJürgen;Müller;acme.com\n', 'latin1'),
    );

    const { detected, upload_id } = (await previewPeople(api, customer, bytes)).json<GuessPreview>();

    expect(detected).toMatchObject({ encoding: 'windows-1252', delimiter: ';' });
    const { id } = (await createFrom(api, customer, { upload_id })).json<GuessList>();
    const listed = await api.call('GET', `/guessing/lists/${id}/people`, { token: customer.token });
    expect(listed.json().results[0]).toMatchObject({ first_name: 'Jürgen', last_name: 'Müller' });
  });

  it.each([
    ['an empty file', '', 400, 'file_empty'],
    ['a file of addresses only', 'email\njane@exists.test\n', 400, 'guess_file_no_people'],
    ['prose', 'nothing of use\n', 400, 'guess_file_no_people'],
    ['broken quoting', 'name,domain\n"Jane Doe,acme.com\n', 400, 'file_broken_quoting'],
    ['a picture', '\u0089PNG\u0000\u0000', 400, 'file_not_text'],
    ['more than may be read at once', `name,domain\n${'x'.repeat(5 << 20)}`, 413, 'file_too_large'],
  ])('refuses %s with what to change', async (_what, contents, status, code) => {
    const answer = await previewPeople(api, await newGuessingCustomer(api), contents);

    expect(answer.statusCode).toBe(status);
    expect(answer.json().errors[0].code).toBe(code);
  });

  it('413 for a file with too many rows', async () => {
    const strict = await startTestApi({ beside: api, env: { GUESS_ROWS_MAX: '3' } });

    const answer = await previewPeople(strict, await newGuessingCustomer(strict), people);

    expect(answer.statusCode).toBe(413);
    expect(answer.json().errors[0]).toMatchObject({ code: 'file_too_many_rows', meta: { rows_max: 3 } });
    await strict.close();
  });

  it('takes as many people as the limit says below a header', async () => {
    const strict = await startTestApi({ beside: api, env: { GUESS_ROWS_MAX: '2' } });
    const file = 'first_name,last_name,domain\nJane,Doe,dotted.test\nAnn,Lee,dotted.test\n';

    const answer = await previewPeople(strict, await newGuessingCustomer(strict), file);

    expect([answer.statusCode, answer.json().total_credits]).toEqual([200, 2]);
    await strict.close();
  });

  it('413 when the customer has no room for files, of whichever kind', async () => {
    const small = await startTestApi({ beside: api, env: { UPLOAD_STORE_BYTES: '1024' } });
    onTestFinished(() => small.close());
    const customer = await newGuessingCustomer(small);
    const contents = people.padEnd(1_024, '\n');
    const body = new FormData();
    body.append('list_raw', new Blob(['email\njane@exists.test\n'.padEnd(1_024, '\n')]), 'a.csv');
    const { token } = customer;
    const emails = await small.call('POST', '/validations/lists_bulk/validation', { token, body });

    const answer = await previewPeople(small, customer, contents);

    expect(emails.statusCode).toBe(200);
    expect(answer.json().errors[0]).toMatchObject({ http_status: 413, code: 'uploads_full' });
    expect((await previewPeople(small, await newGuessingCustomer(small), contents)).statusCode).toBe(200);
  });
});

describe('POST /guessing/lists_bulk', () => {
  it('201 makes a list with the name of its file and holds its highest price', async () => {
    const customer = await newGuessingCustomer(api);
    const preview = (await previewPeople(api, customer, people, 'Spring fair.csv')).json<GuessPreview>();

    const answer = await createFrom(api, customer, { upload_id: preview.upload_id });

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      name: 'Spring fair',
      total_people: 5,
      excluded_people: { duplicated: 1, non_billable: 1 },
    });
    await untilComplete(api, customer, answer.json().id);
  });

  it('201 with the same list for the same upload, also in parallel', async () => {
    const customer = await newGuessingCustomer(api);
    const { upload_id } = (await previewPeople(api, customer, people)).json<GuessPreview>();

    const twins = await Promise.all(
      Array.from({ length: 5 }, () => createFrom(api, customer, { upload_id })),
    );

    expect(new Set(twins.map((twin) => twin.json().id)).size).toBe(1);
    expect((await listsOf(customer)).total).toBe(1);
    await untilComplete(api, customer, twins[0]?.json().id);
  });

  it('404 for another customer’s upload, and 400 without one', async () => {
    const { upload_id } = (
      await previewPeople(api, await newGuessingCustomer(api), people)
    ).json<GuessPreview>();
    const other = await newGuessingCustomer(api);

    expect((await createFrom(api, other, { upload_id })).statusCode).toBe(404);
    expect((await createFrom(api, other, {})).statusCode).toBe(400);
  });

  it('402 when the balance does not cover the list; the upload stays', async () => {
    const customer = await newGuessingCustomer(api);
    const wallets = (held: number) =>
      api.database.db.updateTable('wallets').set({ held }).where('owner_id', '=', customer.userId).execute();
    const { upload_id } = (await previewPeople(api, customer, people)).json<GuessPreview>();
    await wallets(998);

    const refused = await createFrom(api, customer, { upload_id });

    expect(refused.statusCode).toBe(402);
    expect(refused.json().errors[0].meta).toEqual({ short_by: 3 });
    expect((await listsOf(customer)).total).toBe(0);
    await wallets(0);
    const list = (await createFrom(api, customer, { upload_id })).json<GuessList>();
    await untilComplete(api, customer, list.id);
  });
});

describe('a list of people', () => {
  it('is guessed to the end: outcomes, one credit for each clear answer, none for UNKNOWN, one entry', async () => {
    const customer = await newGuessingCustomer(api);

    const { id } = await startList(api, customer, people);
    const list = await untilComplete(api, customer, id);

    expect(list).toMatchObject({
      progress: 100,
      charged_credits: 4,
      guess_metrics: { found: 2, catch_all: 1, not_found: 1, unknown: 1 },
    });
    expect(await balanceOf(api, customer)).toBe(996);
    const history = (await api.call('GET', '/billing/me/transactions', { token: customer.token })).json();
    expect(history.results[0]).toMatchObject({ category: 'GUESSING', source: 'LIST', amount: -4 });
    expect(history.total).toBe(2);
    const found = await api.call('GET', `/guessing/lists/${id}/people?outcome=FOUND`, {
      token: customer.token,
    });
    expect(found.json().results.map(({ email_address }: { email_address: string }) => email_address)).toEqual(
      ['jane.doe@dotted.test', 'john.smith@dotted.test'],
    );
    // Those of lists are not among the single ones.
    expect((await api.call('GET', '/guessing/email_guess', { token: customer.token })).json().total).toBe(0);
  });

  it('that was ordered before every clear answer cost a credit keeps its price', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(api, customer, people);
    await untilComplete(api, customer, id);
    const orderedBefore = (isBefore: boolean) =>
      api.database.pool.query('update lists set charges_every_answer = $1 where id = $2', [!isBefore, id]);

    await orderedBefore(true);

    expect(await untilComplete(api, customer, id)).toMatchObject({ charged_credits: 2 });
    expect(await audit(api)).toContainEqual(
      expect.objectContaining({ subject: `guess-list:${id}`, expected: 2 }),
    );
    await orderedBefore(false);
    expect(await audit(api)).toEqual([]);
  });

  it('is exported row for row with address, result and reason added, or one row for each person found', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(api, customer, people);
    await untilComplete(api, customer, id);

    expect((await exported(customer, id, '?rows=all')).split('\n')).toEqual([
      '\ufeffFirst name,Last name,Domain,Note,email,result,reason',
      'Jane,Doe,dotted.test,"met, twice",jane.doe@dotted.test,FOUND,mailbox_accepted',
      'John,Smith,dotted.test,,john.smith@dotted.test,FOUND,mailbox_accepted',
      'JANE,DOE,www.dotted.test,again,jane.doe@dotted.test,FOUND,mailbox_accepted',
      'Ann,Lee,catch-all.test,,ann.lee@catch-all.test,CATCH_ALL,catch_all',
      'Nobody,Here,dotted.test,,,NOT_FOUND,no_likely_address',
      'Joe,Roe,gmail.com,private,,NOT_GUESSED,domain_not_company',
      'Kim,Poe,blocked-banner.test,,,UNKNOWN,blocked',
      '',
    ]);
    expect((await exported(customer, id, '?outcome=FOUND')).split('\n')).toHaveLength(4);
  });

  it('is exported with its columns in line and formulas neutralised, and uploaded again gets ours once', async () => {
    const customer = await newGuessingCustomer(api);
    const messy = [
      'Customers',
      'First name,Last name,Domain,Note',
      'Jane,Doe,dotted.test,=1+1',
      'Joe,Roe,gmail.com',
    ];
    const { id } = await startList(api, customer, messy.join('\n'));
    await untilComplete(api, customer, id);
    const whole = await exported(customer, id, '?rows=all');

    expect(whole.trimEnd().split('\n')).toEqual([
      '\ufeffFirst name,Last name,Domain,Note,email,result,reason',
      `Jane,Doe,dotted.test,"'=1+1",jane.doe@dotted.test,FOUND,mailbox_accepted`,
      'Joe,Roe,gmail.com,,,NOT_GUESSED,domain_not_company',
    ]);
    expect(await exported(customer, id, '?formulas=raw')).toContain('dotted.test,=1+1,');
    const again = await startList(api, customer, whole);
    await untilComplete(api, customer, again.id);
    expect(await exported(customer, again.id, '?rows=all')).toBe(whole);
  });

  it('400 for a spreadsheet of more columns than a sheet has, where its results would be cut off', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(api, customer, people);
    // As lists were before the columns of a file were limited.
    const header = Array.from({ length: 16_384 }, (_, column) => `n${column}`).join(',');
    await api.database.pool.query('update lists set header = $2 where id = $1', [id, header]);

    const refused = await exported(customer, id, '?format=xlsx');

    expect(JSON.parse(refused).errors[0]).toMatchObject({ http_status: 400, code: 'list_too_wide' });
  });

  it('404 when the list is deleted while its export begins', async () => {
    const place = { ownerId: randomUUID(), listId: randomUUID(), expiresAt: 0 };
    const order = { ...place, rows: 'all', formulas: 'raw', format: 'csv' } as const;

    const reading: Reading = { read: (work) => work(api.database) };

    await expect(exportPeople(reading, { ...order, outcomes: [] })).rejects.toMatchObject({
      code: 'list_not_found',
    });
  });

  it('404 for a changed export link and for another customer’s list', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(api, customer, people);
    const other = await newGuessingCustomer(api);

    const forged = await api.app.inject({ method: 'GET', url: '/api/guessing/exports?order=abc.def' });

    expect(forged.statusCode).toBe(404);
    for (const path of [`/guessing/lists/${id}`, `/guessing/lists/${id}/people`]) {
      expect((await api.call('GET', path, { token: other.token })).statusCode).toBe(404);
    }
    const remove = await api.call('DELETE', `/guessing/lists/${id}`, { token: other.token });
    expect(remove.statusCode).toBe(404);
    await untilComplete(api, customer, id);
  });

  it('informs the open tabs when it is renamed or deleted', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(api, customer, people);
    await untilComplete(api, customer, id);
    const tab = await greetRealtime(api, customer.token);

    const rename = (name: string) =>
      api.call('PUT', `/guessing/lists/${id}`, { token: customer.token, body: { name } });

    expect((await rename('x')).statusCode).toBe(400);
    expect((await rename('Autumn')).json().name).toBe('Autumn');
    expect(await tab.next()).toEqual({ event_type: 'list_changed', event_metadata: { list_id: id } });

    await api.call('DELETE', `/guessing/lists/${id}`, { token: customer.token });
    expect(await tab.next()).toEqual({ event_type: 'list_deleted', event_metadata: { list_id: id } });
    tab.socket.terminate();
  });

  it('gives UNKNOWN for free beyond the daily limit of a domain', async () => {
    const strict = await startTestApi({ env: { GUESS_PEOPLE_PER_DOMAIN: '2' } });
    const strictWorker = await startTestWorker(strict);
    const customer = await newGuessingCustomer(strict);

    const { id } = await startList(
      strict,
      customer,
      ['name,domain', ...['Jane Doe', 'John Smith', 'José Núñez'].map((name) => `${name},dotted.test`)].join(
        '\n',
      ),
    );
    const list = await untilComplete(strict, customer, id);

    expect(list.guess_metrics).toEqual({ found: 2, catch_all: 0, not_found: 0, unknown: 1 });
    expect(await balanceOf(strict, customer)).toBe(998);
    const limited = await strict.call('GET', `/guessing/lists/${id}/people?outcome=UNKNOWN`, {
      token: customer.token,
    });
    expect(limited.json().results[0].reason.code).toBe('domain_limit_reached');
    await strictWorker.close();
    await strict.close();
  });

  it('is deleted with its people, and the ledger agrees', async () => {
    const customer = await newGuessingCustomer(api);
    const { id } = await startList(api, customer, people);
    await untilComplete(api, customer, id);

    const removed = await api.call('DELETE', `/guessing/lists/${id}`, { token: customer.token });

    expect(removed.statusCode).toBe(204);
    expect((await listsOf(customer)).total).toBe(0);
    expect(await api.database.db.selectFrom('guesses').where('list_id', '=', id).execute()).toEqual([]);
    expect(await audit(api)).toEqual([]);
  });
});

describe('a worker that dies', () => {
  const withoutJobs = {
    enqueue: async () => {},
    enqueueMany: async () => {},
    retryDeadLetter: async () => false,
    close: async () => {},
  };

  it('repeats no try and no charge', async () => {
    // No worker beside this one: its runs are ended by hand, where a killed process would end.
    const alone = await startTestApi();
    const customer = await newGuessingCustomer(alone);
    const { id } = await startList(
      alone,
      customer,
      'name,domain\nGrace Hopper,initials.test\nNobody Here,initials.test\nJane Doe,dotted.test\n',
    );
    const guesses = await alone.database.db.selectFrom('guesses').select('id').execute();
    const payload = { ownerId: customer.userId, guessIds: guesses.map((guess) => guess.id) };
    const verifier = createVerifier({
      dns: [worker.world.dns],
      allowRanges: worker.world.allowRanges,
      helo: 'worker.assay.test',
    });
    const asked: string[] = [];
    let dieAfter = 2;
    const mortal = {
      ...verifier,
      async *verifyAll(items: Iterable<{ email: string }>, options: object) {
        for await (const outcome of verifier.verifyAll(items as never, options)) {
          if (asked.length === dieAfter) throw new Error('killed');
          asked.push((outcome as { email: string }).email);
          yield outcome;
        }
      },
    };
    const work = {
      db: alone.database.db,
      clock: systemClock,
      queue: withoutJobs,
      verifier: mortal as never,
      secrets: createSecrets(alone.config.secret),
      limits: alone.config.guessing,
      egress: 'test',
    };
    const { signal } = new AbortController();

    for (; (await findOpenGuesses(alone.database.db, payload)).length > 0; dieAfter += 2) {
      await proveGuesses(work, payload, signal).catch((error: Error) => {
        if (error.message !== 'killed') throw error;
      });
    }
    await proveGuesses(work, payload, signal);

    const list = (
      await alone.call('GET', `/guessing/lists/${id}`, { token: customer.token })
    ).json<GuessList>();
    expect(list).toMatchObject({
      status: 'COMPLETE',
      guess_metrics: { found: 2, catch_all: 0, not_found: 1, unknown: 0 },
    });
    expect(asked).toEqual([...new Set(asked)]);
    expect(await balanceOf(alone, customer)).toBe(997);
    expect(await audit(alone)).toEqual([]);
    await verifier.close();
    await alone.close();
  });

  it('does not count as done with people whose answers the engine did not give', async () => {
    const alone = await startTestApi();
    onTestFinished(() => alone.close());
    const customer = await newGuessingCustomer(alone);
    await startList(alone, customer, 'name,domain\nJane Doe,dotted.test\nNobody Here,dotted.test\n');
    const guesses = await alone.database.db.selectFrom('guesses').select('id').execute();
    const payload = { ownerId: customer.userId, guessIds: guesses.map((guess) => guess.id) };
    const ended = { async *verifyAll() {} };

    const proving = proveGuesses(
      {
        db: alone.database.db,
        clock: systemClock,
        queue: withoutJobs,
        verifier: ended as never,
        secrets: createSecrets(alone.config.secret),
        limits: alone.config.guessing,
        egress: 'test',
      },
      payload,
      new AbortController().signal,
    );

    await expect(proving).rejects.toThrow('The engine ended before every person had an answer.');
    expect(await findOpenGuesses(alone.database.db, payload)).toHaveLength(2);
  });

  it('ends quietly when the list was deleted and settled meanwhile', async () => {
    const alone = await startTestApi();
    const customer = await newGuessingCustomer(alone);
    const { id } = await startList(
      alone,
      customer,
      'name,domain\nJane Doe,dotted.test\nNobody Here,dotted.test\n',
    );
    const guesses = await alone.database.db.selectFrom('guesses').select('id').execute();
    const verifier = createVerifier({
      dns: [worker.world.dns],
      allowRanges: worker.world.allowRanges,
      helo: 'worker.assay.test',
    });
    let rounds = 0;
    const interrupted = {
      ...verifier,
      async *verifyAll(items: Iterable<{ email: string }>, options: object) {
        rounds += 1;
        if (rounds === 3) {
          const removed = await alone.call('DELETE', `/guessing/lists/${id}`, { token: customer.token });
          expect(removed.statusCode).toBe(204);
        }
        yield* verifier.verifyAll(items as never, options);
      },
    };

    await proveGuesses(
      {
        db: alone.database.db,
        clock: systemClock,
        queue: withoutJobs,
        verifier: interrupted as never,
        secrets: createSecrets(alone.config.secret),
        limits: alone.config.guessing,
        egress: 'test',
      },
      { ownerId: customer.userId, guessIds: guesses.map((guess) => guess.id) },
      new AbortController().signal,
    );

    expect(rounds).toBe(3);
    expect(await balanceOf(alone, customer)).toBe(999);
    const [wallet] = await alone.database.db.selectFrom('wallets').select(['held']).execute();
    expect(wallet).toEqual({ held: 0 });
    expect(await audit(alone)).toEqual([]);
    await verifier.close();
    await alone.close();
  });
});
