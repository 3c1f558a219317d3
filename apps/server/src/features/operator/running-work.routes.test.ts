import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type OperatorProcess, operatorRoutes } from '@assay/contract/operator';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { announceProcess } from '../../platform/live-processes.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { defineJob } from '../../platform/queue/index.ts';
import { enqueuePeople } from '../guessing/lists/enqueue-people.ts';
import { startConsole } from './testing/console.ts';

const { api, clock, signUp, call, lastAction } = await startConsole('admin');
afterAll(() => api.close());
const reason = 'A customer asked for it';
const newList = async (token: string) =>
  (
    await api.call('POST', '/validations/lists', {
      token,
      body: { name: 'Spring', emails: ['jane@exists.test'] },
    })
  ).json().id as string;

describe('GET /operator/overview', () => {
  it('200 with minutes, providers, errors, egress addresses, disk and no backup', async () => {
    const minute = new Date(clock.now().getTime() - 120_000);
    minute.setUTCSeconds(0, 0);
    const count = (name: string, part: string, detail: string, times: number, bucket = minute) =>
      api.database.pool.query('insert into operation_counts values ($1, $2, $3, $4, $5)', [
        name,
        bucket,
        part,
        detail,
        times,
      ]);
    await count('checks', 'VALID', '', 40);
    await count('checks', 'UNKNOWN', '', 2);
    await count('errors', 'GET /api/users/me', '', 3);
    await count('failed_jobs', 'validations.sweep', '', 1);
    await count('provider_checks', 'Google', 'VALID', 30);
    await count('provider_checks', 'Google', 'UNKNOWN', 10);
    await count('provider_checks', 'Microsoft', 'UNKNOWN', 5);
    await api.database.pool.query(
      `insert into egress_health values ('default', true, false, '[{"check":"port_25","status":"problem","detail":"d","fix":"f"}]', now(), now())`,
    );

    const overview = await call(operatorRoutes.getOverview);
    expect(overview.minutes).toHaveLength(60);
    expect(overview.minutes.at(-3)).toMatchObject({
      date: minute.toISOString(),
      checks: { valid: 40, invalid: 0, catch_all: 0, unknown: 2 },
      errors: 3,
      failed_jobs: 1,
    });
    expect(overview.providers).toEqual([
      { provider: 'Google', checks: { valid: 30, invalid: 0, catch_all: 0, unknown: 10 } },
      { provider: 'Microsoft', checks: { valid: 0, invalid: 0, catch_all: 0, unknown: 5 } },
    ]);
    expect(overview.errors).toEqual([
      { source: 'GET /api/users/me', count: 3 },
      { source: 'validations.sweep', count: 1 },
    ]);
    expect(overview.egresses).toMatchObject([
      { egress: 'default', is_port_closed: true, findings: [{ check: 'port_25', fix: 'f' }] },
    ]);
    expect(overview.disk.free_bytes).toBeGreaterThan(0);
    expect(overview.database_bytes).toBeGreaterThan(0);
    expect(overview.last_backup_date).toBeNull();
    await api.database.pool.query('delete from egress_health');
  });

  it('200 with the processes that run, and those that ended without a word, each with version, machine and last sign', async () => {
    const announce = (kind: 'api' | 'worker') =>
      announceProcess({
        db: api.database.db,
        logger: createLogger({ level: 'silent', process: 'test' }),
        kind,
        version: { version: '1.2.3', commit: 'abcdef' },
      });
    const [running, ending] = [await announce('api'), await announce('worker')];
    await api.database.pool.query(
      `insert into live_processes (id, kind, version, commit, host, started_at, seen_at)
       values (gen_random_uuid(), 'worker', '1.2.2', 'fedcba', 'second', now() - interval '1 hour', now() - interval '1 minute')`,
    );
    await ending.close();

    const { processes } = await call(operatorRoutes.getOverview);
    await running.close();
    const shown = processes.map(({ kind, version, commit, host, is_live }: OperatorProcess) =>
      [kind, version, commit, host, is_live].join(' '),
    );
    expect(shown).toEqual([`api 1.2.3 abcdef ${hostname()} true`, 'worker 1.2.2 fedcba second false']);
    const signs = processes.map(({ last_sign_date: date }: OperatorProcess) => Date.now() - Date.parse(date));
    expect(signs[0]).toBeLessThan(signs[1]);
  });
});

describe('stuck lists', () => {
  const stuckOf = async (id: string) =>
    (await call(operatorRoutes.listRunningLists, { query: '?only_stuck=true' })).results.find(
      (list: { id: string }) => list.id === id,
    );

  it('200 says why; restart enqueues the open rows again, finish ends the list without them', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    expect(await stuckOf(listId)).toBeUndefined();
    clock.advance({ minutes: 11 });
    expect(await stuckOf(listId)).toMatchObject({ owner_id, why: 'waiting_for_workers' });
    await api.database.pool.query(`delete from queue.job where data ->> 'listId' = $1`, [listId]);
    expect(await stuckOf(listId)).toMatchObject({ why: 'no_jobs' });

    const order = { params: { list_id: listId }, body: { owner_id, kind: 'emails', reason } };
    expect(await call(operatorRoutes.restartList, order)).toBeNull();
    expect(await stuckOf(listId)).toMatchObject({ why: 'waiting_for_workers' });
    await api.database.pool.query(
      `update queue.job set state = 'retry', retry_count = 4, output = '{"message":"No host."}' where data ->> 'listId' = $1`,
      [listId],
    );
    expect(await stuckOf(listId)).toMatchObject({ why: 'jobs_failing', detail: 'No host.' });
    expect(await call(operatorRoutes.finishList, order)).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'list.finished', customer_id: owner_id, about: listId });
    expect((await api.call('GET', `/validations/lists/${listId}`, { token })).json().run_state).toBe(
      'finishing',
    );
    const elsewhere = { ...order, body: { ...order.body, owner_id: randomUUID() } };
    expect(await call(operatorRoutes.finishList, elsewhere)).toBe('list_not_found');
  });

  it('200 says that a list is being prepared, also while it is paused; failing jobs come first', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    const change = (sets: string) =>
      api.database.pool.query(`update lists set ${sets} where id = $1`, [listId]);
    await change(`status = 'PREPARING', rows_to_copy = 1, rows_copied = 0`);
    const shown = async () =>
      (await call(operatorRoutes.listRunningLists)).results.find(
        (list: { id: string }) => list.id === listId,
      );
    await api.database.pool.query(`update queue.job set state = 'active' where data ->> 'listId' = $1`, [
      listId,
    ]);
    expect(await shown()).toMatchObject({ run_state: 'preparing', is_preparing: true, why: 'preparing' });

    clock.advance({ minutes: 11 });
    await change('paused_at = now()');
    expect(await stuckOf(listId)).toMatchObject({
      run_state: 'paused',
      is_preparing: true,
      why: 'preparing',
    });
    await api.database.pool.query(
      `update queue.job set state = 'retry', retry_count = 4, output = '{"message":"No file."}' where data ->> 'listId' = $1`,
      [listId],
    );
    expect(await stuckOf(listId)).toMatchObject({ why: 'jobs_failing', detail: 'No file.' });
    await change(`status = 'PENDING', paused_at = null, rows_to_copy = null, rows_copied = null`);
    expect(await stuckOf(listId)).toMatchObject({ owner_id, is_preparing: false });
  });

  it('200 with the oldest first, whatever their kind, and the overview counts them', async () => {
    const { token, id: owner_id } = await signUp();
    const emails = await newList(token);
    const people = randomUUID();
    await api.database.pool.query(
      `insert into lists (kind, owner_id, id, name, status, delimiter, total_people, created_at)
       values ('people', $1, $2, 'People', 'PENDING', ',', 1, $3)`,
      [owner_id, people, new Date(clock.now().getTime() - 60_000)],
    );
    clock.advance({ minutes: 11 });
    const { results } = await call(operatorRoutes.listRunningLists, { query: '?only_stuck=true' });

    const ids = results.map((list: { id: string }) => list.id);
    expect(ids.slice(-2)).toEqual([people, emails]);
    expect(await stuckOf(people)).toMatchObject({ why: 'no_jobs' });
    const place = { ownerId: owner_id, listId: people };
    await api.database.db
      .transaction()
      .execute((tx) => enqueuePeople(api.queue, tx, place, 0, [randomUUID()]));
    expect(await stuckOf(people)).toMatchObject({ why: 'waiting_for_workers' });
    expect((await call(operatorRoutes.getOverview)).stuck_lists).toBe(ids.length);
    await api.database.pool.query('delete from lists where id = $1', [people]);
  });

  it('409 for a list that its customer paused, and a list that is being finished already is not logged again', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    const order = { params: { list_id: listId }, body: { owner_id, kind: 'emails', reason } };
    await api.call('POST', `/validations/lists/${listId}/pause`, { token });
    const before = await lastAction();

    expect(await call(operatorRoutes.restartList, order)).toBe('list_paused');
    expect(await lastAction()).toEqual(before);
    expect(await call(operatorRoutes.finishList, order)).toBeNull();
    const finished = await lastAction();
    expect(finished).toMatchObject({ kind: 'list.finished', about: listId });
    expect(await call(operatorRoutes.finishList, order)).toBeNull();
    expect(await lastAction()).toEqual(finished);
    expect(await call(operatorRoutes.restartList, order)).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'list.restarted', about: listId });
  });

  it('stays as it is when its action cannot be logged', async () => {
    const { token, id: owner_id } = await signUp();
    const listId = await newList(token);
    await api.database.pool.query(
      `alter table operator_actions add constraint refuses_all check (kind <> 'list.finished') not valid`,
    );
    try {
      const order = { params: { list_id: listId }, body: { owner_id, kind: 'emails', reason } };
      expect(await call(operatorRoutes.finishList, order)).toBe('internal_error');
    } finally {
      await api.database.pool.query('alter table operator_actions drop constraint refuses_all');
    }
    const list = (await api.call('GET', `/validations/lists/${listId}`, { token })).json();
    expect(list.run_state).toBe('running');
  });
});

describe('jobs', () => {
  const job = defineJob({ name: 'test.job', payload: z.object({}), expireSeconds: 60, retryLimit: 5 });
  const dead = async () => {
    await api.database.db.transaction().execute((tx) => api.queue.enqueue(tx, job, {}));
    const { rows } = await api.database.pool.query(
      `update queue.job set name = 'dead-letters', source_name = name, source_retry_count = 5,
         source_output = '{"message":"It broke."}' where name = 'test.job' and state = 'created' returning id`,
    );
    return rows[0].id as string;
  };

  it('that failed for good are listed, sent back or removed', async () => {
    const [first, second] = [await dead(), await dead()];
    expect((await call(operatorRoutes.listDeadLetters)).results).toMatchObject([
      { id: first, queue: 'test.job', tries: 6, problem: 'It broke.' },
      { id: second },
    ]);
    expect((await call(operatorRoutes.getOverview)).dead_letters).toBe(2);

    expect(
      await call(operatorRoutes.retryDeadLetter, { params: { job_id: first }, body: { reason } }),
    ).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'dead_letter.retried', about: `test.job ${first}` });
    expect(
      await call(operatorRoutes.discardDeadLetter, { params: { job_id: second }, body: { reason } }),
    ).toBeNull();
    expect(await lastAction()).toMatchObject({ kind: 'dead_letter.discarded', about: `test.job ${second}` });
    expect((await call(operatorRoutes.listDeadLetters)).results).toEqual([]);
    const { rows } = await api.database.pool.query(
      `select count(*) from queue.job where name = 'test.job' and state = 'created'`,
    );
    expect(rows[0].count).toBe(1);
    expect(await call(operatorRoutes.retryDeadLetter, { params: { job_id: second }, body: { reason } })).toBe(
      'job_not_found',
    );
    await api.database.pool.query(`delete from queue.job where name = 'test.job'`);
  });

  it('that failed for good say what they do and for whom', async () => {
    const { token, id } = await signUp({ given_name: 'Ada', family_name: 'Lovelace' });
    const listId = await newList(token);
    await api.database.pool.query(
      `update queue.job set name = 'dead-letters', source_name = name, source_retry_count = 5,
         source_output = '{"message":"It broke."}' where data ->> 'listId' = $1`,
      [listId],
    );

    const found = (await call(operatorRoutes.listDeadLetters)).results;
    await api.database.pool.query(`delete from queue.job where name = 'dead-letters'`);

    expect(found).toMatchObject([
      {
        words: 'Verification of the list “Spring”, piece 1 of 1',
        owner: { id, first_name: 'Ada', last_name: 'Lovelace' },
        problem: 'It broke.',
      },
    ]);
  });

  it('that fail again and again are listed, and tried at once', async () => {
    await api.database.db.transaction().execute((tx) => api.queue.enqueue(tx, job, {}));
    await api.database.pool.query(
      `update queue.job set state = 'retry', retry_count = 3, output = '{"message":"Not now."}',
         start_after = now() + interval '1 hour' where name = 'test.job'`,
    );
    const [failing] = (await call(operatorRoutes.listFailingJobs)).results.filter(
      ({ queue }: { queue: string }) => queue === 'test.job',
    );
    expect(failing).toMatchObject({ tries: 3, problem: 'Not now.' });
    // Workers take jobs by the clock of the database.
    clock.advance({ minutes: 5 });

    expect(
      await call(operatorRoutes.retryJobNow, { params: { job_id: failing.id }, body: { reason } }),
    ).toBeNull();
    const { rows } = await api.database.pool.query(
      'select start_after <= now() as is_due from queue.job where id = $1',
      [failing.id],
    );
    expect(rows).toEqual([{ is_due: true }]);
    expect(
      await call(operatorRoutes.retryJobNow, { params: { job_id: randomUUID() }, body: { reason } }),
    ).toBe('job_not_found');
  });
});
