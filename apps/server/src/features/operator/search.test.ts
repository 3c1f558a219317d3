import { createHash, randomUUID } from 'node:crypto';
import { operatorRoutes } from '@assay/contract/operator';
import { afterAll, describe, expect, it } from 'vitest';
import { countOperations } from '../../platform/operation-counts.ts';
import { sweepErrors } from '../../platform/operation-errors.ts';
import { verifyLongListJob } from '../verification/index.ts';
import { findStuckLists } from './index.ts';
import { startConsole } from './testing/console.ts';

// Everything here is open to the smaller role.
const { api, clock, signUp, call } = await startConsole('support');
afterAll(() => api.close());

const search = (text: string) => call(operatorRoutes.search, { query: `?text=${encodeURIComponent(text)}` });
const newList = async (token: string, name: string, emails: readonly string[]) => {
  clock.advance({ seconds: 1 });
  return (await api.call('POST', '/validations/lists', { token, body: { name, emails } })).json()
    .id as string;
};
/** As a process that answers calls or runs jobs keeps them. */
const keepErrors = async (failures: readonly (readonly [source: string, failure: object])[]) => {
  const { logger } = { logger: api.app.log as never };
  const counts = countOperations({ db: api.database.db, logger, clock, schedule: clock.schedule });
  for (const [source, failure] of failures)
    counts.fail('failed_jobs', source, { error: new Error('It broke.'), ...failure });
  await counts.close();
};

describe('GET /operator/search', () => {
  it('200 finds a list and its customer by the id of either, and says what the text was taken for', async () => {
    const { token, id } = await signUp();
    const listId = await newList(token, 'Spring', ['jane@exists.test']);

    expect(await search(listId.toUpperCase())).toMatchObject({
      by: 'id',
      customers: [],
      lists: [{ id: listId, owner_id: id, kind: 'emails', name: 'Spring', total: 1 }],
    });
    expect(await search(id)).toMatchObject({ by: 'id', customers: [{ id }], lists: [], jobs: [] });
    expect(await search(randomUUID())).toEqual({
      ...{ by: 'id', customers: [], lists: [], jobs: [], errors: [], checks: [] },
      searched_back_to: null,
    });
  });

  it('200 finds jobs and errors by job id and by trace id, in words', async () => {
    const { token, id } = await signUp({ given_name: 'Ada', family_name: 'Lovelace' });
    const listId = await newList(token, 'Autumn', ['jane@exists.test']);
    const trace = randomUUID().replaceAll('-', '');
    const { rows } = await api.database.pool.query(
      `update queue.job set data = data || jsonb_build_object('traceparent', '00-' || $2::text || '-0011223344556677-01')
       where data ->> 'listId' = $1 returning id`,
      [listId, trace],
    );
    const jobId = rows[0].id as string;
    await keepErrors([
      ['validations.verify-short-list', { jobId, traceId: trace, customerId: id }],
      ['validations.verify-short-list', {}],
    ]);
    const job = {
      id: jobId,
      words: 'Verification of the list “Autumn”, piece 1 of 1',
      owner: { id, first_name: 'Ada', last_name: 'Lovelace' },
      state: 'created',
    };
    const error = { message: 'It broke.', trace_id: trace, job_id: jobId, customer_id: id };

    for (const [text, by] of [
      [jobId, 'id'],
      [trace.toUpperCase(), 'trace'],
    ] as const) {
      const found = await search(text);
      expect(found).toMatchObject({ by, jobs: [job], errors: [error], lists: [] });
      expect([found.jobs.length, found.errors.length]).toEqual([1, 1]);
    }
  });

  it('200 finds who checked an address by its SHA-256 in lower case, never the address', async () => {
    const [first, second] = [await signUp(), await signUp()];
    const address = `Jane.${randomUUID()}@exists.test`;
    const hash = createHash('sha256').update(address.toLowerCase()).digest('hex');
    const listId = await newList(first.token, 'Winter', ['max@exists.test', address]);
    clock.advance({ seconds: 1 });
    await api.call('POST', '/validations/email_validation', {
      token: second.token,
      body: { email_address: address },
    });
    await newList(second.token, 'Without it', ['max@exists.test']);
    const found = await search(hash.toUpperCase());

    expect(found).toMatchObject({
      by: 'address_hash',
      checks: [
        { owner: { id: second.id }, list: null },
        { owner: { id: first.id }, list: { id: listId, name: 'Winter' } },
      ],
      searched_back_to: { singles: null, lists: null },
    });
    expect(found.checks).toHaveLength(2);
    expect(JSON.stringify(found).toLowerCase()).not.toContain(address.toLowerCase());
    const other = createHash('sha256').update('nobody@exists.test').digest('hex');
    expect((await search(other)).checks).toEqual([]);
  });

  it('400 for a text that is longer than any address', async () => {
    expect(await search('x'.repeat(255))).toBe('invalid_request');
    expect((await search(`${'0'.repeat(63)}g`)).by).toBe('name');
  });
});

describe('GET /operator/errors', () => {
  const errorsOf = async (source: string, more = '') =>
    (await call(operatorRoutes.listErrors, { query: `?source=${encodeURIComponent(source)}${more}` }))
      .results;

  it('200 with message, stack and trace of a call that failed, and nothing that tells who a person is', async () => {
    const { token, id } = await signUp();
    await api.database.pool.query('alter table webhooks rename to hidden');
    const path = '/users/webhooks';
    const answer = await api.call('GET', path, { token });
    await api.database.pool.query('alter table hidden rename to webhooks');
    expect(answer.statusCode).toBe(500);
    const { trace_id } = answer.json().errors[0];
    clock.advance({ seconds: 6 });

    await expect
      .poll(async () => (await search(trace_id)).errors)
      .toMatchObject([
        {
          source: `GET /api${path}`,
          type: '42P01',
          message: expect.stringContaining('webhooks'),
          stack: expect.stringContaining('.ts:'),
          customer_id: id,
          job_id: null,
        },
      ]);
  });

  it('200 newest first, in pages, five of a source a minute; a week later they are gone', async () => {
    const address = 'ada@example.com';
    for (let minute = 0; minute < 11; minute += 1) {
      clock.advance({ minutes: 1 });
      const failures = Array.from({ length: 9 }, (_, number) => [
        'webhooks.deliver-once',
        {
          error: new Error(`Minute ${minute}, ${number}: ${address}`, { cause: new Error(`to ${address}`) }),
        },
      ]) as [string, object][];
      await keepErrors(failures);
    }
    const newest = await errorsOf('webhooks.deliver-once');
    expect(newest).toHaveLength(50);
    expect(newest[0]).toMatchObject({ message: 'Minute 10, 4: [address]', trace_id: null });
    expect(newest[0].stack).toContain('Caused by Error: to [address]');
    expect(JSON.stringify(newest)).not.toContain(address);
    const earlier = await errorsOf('webhooks.deliver-once', `&before=${newest.at(-1).id}`);
    expect(earlier.map(({ message }: { message: string }) => message)).toEqual(
      [4, 3, 2, 1, 0].map((number) => `Minute 0, ${number}: [address]`),
    );
    expect(await errorsOf('nothing')).toEqual([]);

    await sweepErrors(api.database.db, new Date(clock.now().getTime() + 8 * 86_400_000));
    expect(await errorsOf('webhooks.deliver-once')).toEqual([]);
  });
});

describe('GET /operator/lists/running', () => {
  it('200 pages through all running lists by key, the oldest first, with owner, rate and what they wait for', async () => {
    await api.database.pool.query(`update lists set status = 'COMPLETE', completed_at = now()`);
    const { token, id } = await signUp({ given_name: 'Ada', family_name: 'Lovelace' });
    const ids: string[] = [];
    for (let list = 0; list < 52; list += 1)
      ids.push(await newList(token, `List ${list}`, ['a@exists.test']));
    const running = (query = '') => call(operatorRoutes.listRunningLists, { query });

    const first = await running();
    // The list at the end of the page ends meanwhile: the next page still begins behind it.
    await api.database.pool.query(`update lists set status = 'COMPLETE' where id = $1`, [ids[49]]);
    const second = await running(`?after=${first.next}`);
    expect([...first.results, ...second.results].map((list: { id: string }) => list.id)).toEqual(ids);
    expect(second.next).toBeNull();
    expect(first.results[0]).toMatchObject({
      owner: { id, first_name: 'Ada' },
      why: 'waiting_for_workers',
      run_state: 'running',
      progress: 0,
      rows_per_minute: 0,
    });

    await api.database.pool.query(
      `update lists set valid_emails = 30, total_emails = 60, progress_told_at = $2 where id = $1`,
      [ids[0], clock.now()],
    );
    await api.database.pool.query(`update queue.job set state = 'active' where data ->> 'listId' = $1`, [
      ids[0],
    ]);
    expect((await running()).results[0]).toMatchObject({ why: 'working', progress: 50, rows_per_minute: 30 });
    expect((await running('?only_stuck=true')).results).toEqual([]);

    clock.advance({ minutes: 11 });
    const stuck = await findStuckLists({ db: api.database.db, clock });
    expect(
      stuck.map((list) => list.id),
      'all pages of them',
    ).toEqual(ids.filter((listId) => listId !== ids[49]));
    for (const after of ['x', '1_2', `1_${'-'.repeat(36)}`, `${'9'.repeat(16)}_${randomUUID()}`])
      expect(await running(`?after=${after}`)).toBe('invalid_request');
  });

  it('pauses and resumes a list, logged once each', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token, 'Spring', ['a@exists.test']);
    const order = {
      params: { list_id: listId },
      body: { owner_id, kind: 'emails', reason: 'Too many bounces' },
    };
    const runState = async () =>
      (await api.call('GET', `/validations/lists/${listId}`, { token })).json().run_state;

    for (const _ of Array(2)) expect(await call(operatorRoutes.pauseList, order)).toBeNull();
    expect(await runState()).toBe('paused');
    for (const _ of Array(2)) expect(await call(operatorRoutes.resumeList, order)).toBeNull();
    expect(await runState()).toBe('running');
    const { results } = await call(operatorRoutes.listActions, { query: `?customer_id=${owner_id}` });
    expect(results.map(({ kind }: { kind: string }) => kind)).toEqual(['list.resumed', 'list.paused']);
    const strange = { ...order, body: { ...order.body, owner_id: randomUUID() } };
    expect(await call(operatorRoutes.pauseList, strange)).toBe('list_not_found');
  });
});

describe('GET /operator/dead-letters', () => {
  it('200 says what each job does, for whom, and which piece of a list it is', async () => {
    const { token, id: ownerId } = await signUp({ given_name: 'Ada', family_name: 'Lovelace' });
    const listId = await newList(token, 'Summer', ['a@exists.test']);
    await api.database.pool.query(
      `insert into list_chunks (owner_id, list_id, chunk_number, row_numbers)
       select $1, $2, number, '{1}' from generate_series(1, 19) number`,
      [ownerId, listId],
    );
    await api.database.db
      .transaction()
      .execute((tx) => api.queue.enqueue(tx, verifyLongListJob, { ownerId, listId, run: 0, chunkNumber: 2 }));
    await api.database.pool.query(
      `insert into queue.job (id, name, data, source_name, source_retry_count, source_output)
       select gen_random_uuid(), 'dead-letters', data, name, 4, '{"message":"No host."}'::jsonb from queue.job
       where name = 'validations.verify-long-list' and data ->> 'listId' = $1
       union all
       select gen_random_uuid(), 'dead-letters', jsonb_build_object('ownerId', $2::text, 'listId', gen_random_uuid()), 'validations.finish-list', 0, '{}'
       union all select gen_random_uuid(), 'dead-letters', 'null', 'some.queue', 0, '"text"'`,
      [listId, randomUUID()],
    );
    const { results } = await call(operatorRoutes.listDeadLetters);

    expect(results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          words: 'Verification of the list “Summer”, piece 3 of 20',
          owner: expect.objectContaining({ id: ownerId, last_name: 'Lovelace' }),
          tries: 5,
          problem: 'No host.',
        }),
        expect.objectContaining({ words: 'End of a deleted list', owner: null }),
        expect.objectContaining({ words: 'some.queue', owner: null, problem: 'text' }),
      ]),
    );
  });
});

describe('the page of a customer', () => {
  it('200 with webhook host without path, deliveries, payments and activity; 404 for nobody', async () => {
    const { token, id } = await signUp();
    const secretPath = randomUUID();
    await api.call('POST', '/users/webhooks', {
      token,
      body: { url: `https://hooks.example.com/${secretPath}?token=secret-token` },
    });
    await api.database.pool.query(
      `insert into purchases (owner_id, kind, invoice_id, plan_code, credits, paid_cents, total_cents, paid_at)
       values ($1, 'pack', 'pi_1', '10K', 10000, 4900, 4900, now())`,
      [id],
    );
    const params = { customer_id: id };
    const webhooks = await call(operatorRoutes.listCustomerWebhooks, { params });

    expect(webhooks.results).toMatchObject([{ host: 'hooks.example.com' }]);
    expect(JSON.stringify(webhooks)).not.toMatch(new RegExp(`${secretPath}|secret-token|whsec`));
    expect(await call(operatorRoutes.listCustomerDeliveries, { params })).toEqual({ results: [], total: 0 });
    expect((await call(operatorRoutes.listCustomerPayments, { params })).results).toMatchObject([
      { id: 'pi_1', kind: 'pack', status: 'paid', total_in_cents: 4_900 },
    ]);
    const activity = await call(operatorRoutes.listCustomerActivity, { params });
    expect(activity.results.map(({ kind }: { kind: string }) => kind)).toContain('webhook.created');
    for (const route of [
      operatorRoutes.listCustomerWebhooks,
      operatorRoutes.listCustomerDeliveries,
      operatorRoutes.listCustomerPayments,
      operatorRoutes.listCustomerActivity,
    ])
      expect(await call(route, { params: { customer_id: randomUUID() } })).toBe('customer_not_found');
  });
});
