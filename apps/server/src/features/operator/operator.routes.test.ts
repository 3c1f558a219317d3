import { randomUUID } from 'node:crypto';
import { API_BASE, isOperatorRole, type RouteContract } from '@assay/contract';
import { allRoutes, operatorRoutes, type Standing } from '@assay/contract/operator';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';
import { greetRealtime } from '../../testing/realtime-client.ts';
import { enqueuePeople } from '../guessing/lists/enqueue-people.ts';
import { addOperator, findBrokenAction, removeOperator } from './index.ts';
import { followStandings } from './standing.ts';

const clock = movableClock();
let api: TestApi;
let operator: { token: string; id: string };

const order = { actorId: null, reason: 'A test' };
const signUp = async (claims = {}) => {
  const token = await api.tokenFor(claims);
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  return { token, id: id as string };
};

beforeAll(async () => {
  api = await startTestApi({
    clock,
    env: {
      ASSAY_STAGE: 'staging',
      ASSAY_OPERATOR_CLAIM: 'roles=assay-operator',
      ASSAY_SUPPORT_CLAIM: 'roles=assay-support',
      RATE_LIMIT_PER_CUSTOMER: '5000',
    },
  });
  operator = await signUp();
  await addOperator({ db: api.database.db, clock }, order, { userId: operator.id, role: 'admin' });
});
afterAll(() => api.close());

const setStanding = async (customerId: string, standing: Standing, reason = 'Looks odd') => {
  const answer = await api.call('PUT', `/operator/customers/${customerId}/standing`, {
    token: operator.token,
    body: { standing, reason },
  });
  return answer.statusCode === 200 ? answer.json() : answer.json().errors[0].code;
};

const nameOf = ({ method, path }: Pick<RouteContract, 'method' | 'path'>) => `${method} ${path}`;

/** What an operator may do without the role admin. */
const openToSupport = [
  'POST /operator/lists/:list_id/restart',
  'POST /operator/lists/:list_id/pause',
  'POST /operator/lists/:list_id/resume',
  'POST /operator/jobs/:job_id/retry',
  'POST /operator/dead-letters/:job_id/retry',
  'POST /operator/incidents',
  'POST /operator/incidents/:incident_id/notes',
  'POST /operator/incidents/:incident_id/close',
];

describe('the calls of operators', () => {
  const calls: RouteContract[] = Object.values(operatorRoutes);
  const attempt = async (
    { method, path }: Pick<RouteContract, 'method' | 'path'>,
    input: { token?: string; headers?: Record<string, string> },
  ) => {
    const answer = await api.call(method, path.replace(/:\w+/g, randomUUID()), input);
    const { trace_id: _, ...error } = answer.json().errors?.[0] ?? {};
    return { status: answer.statusCode, error, allow: answer.headers.allow };
  };

  it('answer everyone else as if they did not exist: signed out, customers, API keys, ended roles and odd claims', async () => {
    const customer = await signUp();
    const { api_token } = (await api.call('POST', '/users/api-keys', { token: customer.token })).json();
    const former = await signUp();
    await addOperator({ db: api.database.db, clock }, order, { userId: former.id, role: 'admin' });
    await removeOperator({ db: api.database.db, clock }, order, former.id);
    const { token: otherRole } = await signUp({ roles: ['operator'], email: 'assay-operator' });
    const callers = [
      {},
      { token: 'no.token.atall' },
      { token: customer.token },
      { token: former.token },
      { token: otherRole },
      { headers: { 'x-api-key': api_token } },
      { headers: { 'x-api-key': 'assay-web' } },
      { headers: { 'x-api-key': `assay_live_${'0'.repeat(48)}` } },
    ];

    for (const call of calls) {
      for (const input of callers) {
        const nowhere = { method: call.method, path: '/operator/nowhere' } as const;
        expect(await attempt(call, input)).toEqual(await attempt(nowhere, input));
        expect((await attempt(call, input)).status).toBe(404);
        // A wrong method tells no more.
        const other = { method: call.method === 'PUT' ? 'DELETE' : 'PUT', path: call.path } as const;
        expect((await attempt(other, input)).status).toBe(404);
      }
    }
  });

  it('are open to an account with the role, and by a claim of the identity provider', async () => {
    const byClaim = await signUp({ roles: ['staff', 'assay-operator'] });
    const byText = await signUp({ roles: 'assay-operator' });

    const supporting = await signUp({ roles: ['assay-support'] });
    const both = await signUp({ roles: ['assay-support', 'assay-operator'] });
    // The higher of the two counts.
    const adminHere = await signUp({ roles: ['assay-support'] });
    await addOperator({ db: api.database.db, clock }, order, { userId: adminHere.id, role: 'admin' });
    const supportHere = await signUp({ roles: ['assay-operator'] });
    await addOperator({ db: api.database.db, clock }, order, { userId: supportHere.id, role: 'support' });

    for (const [{ token, id }, role] of [
      [operator, 'admin'],
      [byClaim, 'admin'],
      [byText, 'admin'],
      [supporting, 'support'],
      [both, 'admin'],
      [adminHere, 'admin'],
      [supportHere, 'admin'],
    ] as const) {
      const answer = await api.call('GET', '/operator/me', { token });
      expect([answer.statusCode, answer.json().id, answer.json().role]).toEqual([200, id, role]);
    }
  });

  it('403 operator_role for every call that needs more than the role, and no other call', async () => {
    const support = await signUp();
    const parts = { db: api.database.db, clock };
    await addOperator(parts, order, { userId: support.id, role: 'support' });
    const refusedTo = async (token: string) => {
      const names: string[] = [];
      for (const call of calls) {
        const { status, error } = await attempt(call, { token });
        expect([nameOf(call), status], 'is there').not.toEqual([nameOf(call), 401]);
        if (status === 403 && error.code === 'operator_role') names.push(nameOf(call));
      }
      return names;
    };
    const ofAdmins = calls.filter(({ auth }) => auth === 'admin').map(nameOf);

    expect(await refusedTo(support.token)).toEqual(ofAdmins);
    expect(await refusedTo(operator.token)).toEqual([]);
    await addOperator(parts, order, { userId: support.id, role: 'admin' });
    expect(await refusedTo(support.token), 'from the next call on').toEqual([]);
    expect(calls.filter(({ auth, method }) => auth === 'admin' && method === 'GET')).toEqual([]);
    expect(calls.filter(({ auth, method }) => auth === 'support' && method !== 'GET').map(nameOf)).toEqual(
      openToSupport,
    );
  });

  it('are in no public reference, and never open to keys', async () => {
    const document = (await api.app.inject('/docs/openapi.json')).body;

    expect(document).not.toContain(`${API_BASE}/operator`);
    expect(calls.filter(({ auth }) => !isOperatorRole(auth))).toEqual([]);
  });
});

describe('PUT /operator/customers/:customer_id/standing', () => {
  const everyCall: RouteContract[] = Object.values(allRoutes)
    .flatMap((feature): RouteContract[] => Object.values(feature))
    .filter(({ auth }) => auth === 'user' || auth === 'user_or_key');
  const codesOf = async (token: string, code: string) => {
    const refused: string[] = [];
    // Signing out would end the test, and deleting the account comes last.
    const inOrder = everyCall
      .filter(({ path }) => !path.startsWith('/users/me/sessions'))
      .toSorted((left, right) => Number(left.path === '/users/me') - Number(right.path === '/users/me'));
    for (const { method, path } of inOrder) {
      const answer = await api.call(method, path.replace(/:\w+/g, randomUUID()), { token });
      if (answer.statusCode === 403 && answer.json().errors[0].code === code)
        refused.push(`${method} ${path}`);
    }
    return refused.sort();
  };
  const listOf = async (token: string) => {
    const body = { name: 'Spring', emails: ['jane@exists.test', 'max@exists.test'] };
    const { id } = (await api.call('POST', '/validations/lists', { token, body })).json();
    return id as string;
  };
  const runState = async (token: string, id: string) =>
    (await api.call('GET', `/validations/lists/${id}`, { token })).json().run_state;

  it('suspended: everything but reading, exports, asking for a call and signing out answers 403 account_suspended, also by key', async () => {
    const sub = randomUUID();
    const { token, id } = await signUp({ sub });
    const { api_token } = (await api.call('POST', '/users/api-keys', { token })).json();
    const listId = await listOf(token);
    expect(await setStanding(id, 'suspended')).toEqual({ standing: 'suspended' });

    const open = everyCall.filter(
      ({ method, isOpenWhenSuspended }) => method === 'GET' || isOpenWhenSuspended,
    );
    const closed = everyCall.filter((call) => !open.includes(call));
    expect(open.filter(({ method }) => method !== 'GET').map(nameOf)).toEqual([
      'POST /users/me/activity/export',
      'POST /billing/me/transactions/export',
      'POST /guessing/lists_bulk/:upload_id/exclusions',
      'POST /guessing/lists/:list_id/export',
      'POST /users/me/data',
      'POST /users/support_cases',
      'POST /suppressions/export',
      'DELETE /users/me/sessions',
      'DELETE /users/me/sessions/current',
      'DELETE /users/me/sessions/:session_id',
      'POST /validations/email_validation/export',
      'POST /validations/lists_bulk/:upload_id/exclusions',
      'POST /validations/lists/:list_id/export',
    ]);
    expect((await api.call('GET', '/users/me', { token })).json().restriction).toBe('suspended');
    const signedInAgain = await api.tokenFor({ sub, sid: 'again' });
    expect((await api.call('GET', '/users/me', { token: signedInAgain })).json().id).toBe(id);
    expect(await codesOf(token, 'account_suspended')).toEqual(closed.map(nameOf).sort());
    const byKey = await api.call('POST', '/validations/lists', {
      headers: { 'x-api-key': api_token },
      body: { name: 'x', emails: ['a@exists.test'] },
    });
    expect(byKey.json().errors[0].code).toBe('account_suspended');
    const plan = await api.call('GET', '/billing/me/subscriptions/customer_portal?plan=10K', { token });
    expect(plan.json().errors[0].code).toBe('account_suspended');
    const read = await api.call('GET', `/validations/lists/${listId}`, {
      headers: { 'x-api-key': api_token },
    });
    expect(read.json().run_state).toBe('paused');
  });

  it('held: starts nothing new and pauses lists; all else stays open', async () => {
    const { token, id } = await signUp();
    const listId = await listOf(token);
    await setStanding(id, 'held');
    expect(await runState(token, listId)).toBe('paused');
    expect((await api.call('GET', '/users/me', { token })).json().restriction).toBe('held');

    const starting = everyCall.filter((call) => call.takesIdempotencyKey || call.startsWork);
    expect(await codesOf(token, 'account_held')).toEqual(starting.map(nameOf).sort());
    expect(starting.map(nameOf)).toContain('POST /validations/lists/:list_id/resume');
  });

  it('open again: lists that it paused go on, and those of the customer stay paused', async () => {
    const { token, id } = await signUp();
    const [own, running] = [await listOf(token), await listOf(token)];
    await api.call('POST', `/validations/lists/${own}/pause`, { token });
    clock.advance({ seconds: 1 });
    await setStanding(id, 'held');
    clock.advance({ seconds: 1 });
    await setStanding(id, 'suspended');
    expect(await runState(token, running)).toBe('paused');
    clock.advance({ seconds: 1 });
    const tab = await greetRealtime(api, token);
    await setStanding(id, 'open');
    expect(await tab.next()).toEqual({ event_type: 'refresh_user', event_metadata: {} });
    tab.socket.terminate();
    expect((await api.call('GET', '/users/me', { token })).json()).not.toHaveProperty('restriction');

    expect([await runState(token, own), await runState(token, running)]).toEqual(['paused', 'running']);
    expect((await api.call('POST', `/validations/lists/${own}/resume`, { token })).statusCode).toBe(200);
  });

  it('open again: lists go on although the process died before it resumed them', async () => {
    const { token, id } = await signUp();
    const [own, running] = [await listOf(token), await listOf(token)];
    await api.call('POST', `/validations/lists/${own}/pause`, { token });
    await setStanding(id, 'held');
    await api.database.pool.query(`update accounts set standing = 'open' where id = $1`, [id]);
    expect(await runState(token, running)).toBe('paused');

    const parts = { db: api.database.db, clock, queue: api.queue };
    await followStandings(parts);
    expect([await runState(token, own), await runState(token, running)]).toEqual(['paused', 'running']);
    await api.call('POST', `/validations/lists/${running}/pause`, { token });
    await followStandings(parts);
    expect(await runState(token, running)).toBe('paused');
  });

  it('throttled: a tenth of the requests, and lists come last', async () => {
    const { token, id } = await signUp();
    await setStanding(id, 'throttled');
    const { headers } = await api.call('GET', '/users/me', { token });

    expect(headers['ratelimit-policy']).toBe('"throttled";q=500;w=60');
    const listId = await listOf(token);
    const { rows } = await api.database.pool.query(
      `select priority from queue.job where data ->> 'listId' = $1`,
      [listId],
    );
    expect(rows).toEqual([{ priority: -1_000_000 }]);
    const people = { ownerId: id, listId: randomUUID() };
    await api.database.db
      .transaction()
      .execute((tx) => enqueuePeople(api.queue, tx, people, 0, [randomUUID()]));
    const { rows: ofPeople } = await api.database.pool.query(
      `select priority from queue.job where name = 'guessing.prove-list' and data ->> 'ownerId' = $1`,
      [id],
    );
    expect(ofPeople).toEqual([{ priority: -1_000_000 }]);
  });

  it('throttled: rows that wait already come last too, and first again when it is lifted', async () => {
    const [{ token, id }, other] = [await signUp(), await signUp()];
    const [own, others] = [await listOf(token), await listOf(other.token)];
    const priorities = async () => {
      const { rows } = await api.database.pool.query<{ list: string; priority: number }>(
        `select data ->> 'listId' as list, priority from queue.job where data ->> 'listId' = any($1)`,
        [[own, others]],
      );
      return [own, others].map((list) => rows.find((row) => row.list === list)?.priority);
    };

    await setStanding(id, 'throttled');
    expect(await priorities()).toEqual([-1_000_000, 0]);
    await followStandings({ db: api.database.db, clock, queue: api.queue });
    expect(await priorities(), 'once').toEqual([-1_000_000, 0]);
    await setStanding(id, 'open');
    expect(await priorities()).toEqual([0, 0]);
  });

  it('409 for an operator, 404 for nobody, 400 without a reason; none of them is logged', async () => {
    const before = await api.call('GET', '/operator/actions', { token: operator.token });

    expect(await setStanding(operator.id, 'suspended')).toBe('operator_standing');
    expect(await setStanding(randomUUID(), 'held')).toBe('customer_not_found');
    expect(await setStanding(randomUUID(), 'held', '  ')).toBe('invalid_request');
    const after = await api.call('GET', '/operator/actions', { token: operator.token });
    expect(after.json().total).toBe(before.json().total);
    expect((await api.call('GET', '/users/me', { token: operator.token })).statusCode).toBe(200);
  });
});

describe('addOperator', () => {
  const parts = () => ({ db: api.database.db, clock });

  it('refuses a restricted account, also one that is restricted at the same moment', async () => {
    const { id } = await signUp();
    await setStanding(id, 'suspended');
    await expect(addOperator(parts(), order, { userId: id, role: 'admin' })).rejects.toMatchObject({
      code: 'operator_restricted',
    });

    for (const _ of Array(5)) {
      const raced = await signUp();
      const [added, standing] = await Promise.allSettled([
        addOperator(parts(), order, { userId: raced.id, role: 'admin' }),
        setStanding(raced.id, 'held'),
      ]);
      expect([added.status, standing], 'one of the two wins').toBeOneOf([
        ['fulfilled', { status: 'fulfilled', value: 'operator_standing' }],
        ['rejected', { status: 'fulfilled', value: { standing: 'held' } }],
      ]);
    }
  });
});

describe('GET /operator/actions', () => {
  it('200 with actor, customer and reason, newest first; a repeated action is logged once', async () => {
    const { id } = await signUp();
    await setStanding(id, 'held', 'First');
    await setStanding(id, 'held', 'Again');
    clock.advance({ seconds: 1 });
    await setStanding(id, 'open', ' Second ');
    const { results, total } = (
      await api.call('GET', `/operator/actions?customer_id=${id}`, { token: operator.token })
    ).json();

    expect(total).toBe(2);
    expect(results).toMatchObject([
      { actor_id: operator.id, kind: 'customer.standing', customer_id: id, about: 'open', reason: 'Second' },
      { about: 'held', reason: 'First' },
    ]);
    expect(operatorRoutes.listActions.success.schema.safeParse({ results, total }).success).toBe(true);
  });

  it('200 with the removal of a role that ended with its account', async () => {
    const former = await signUp();
    await addOperator(
      { db: api.database.db, clock },
      { ...order, actorName: 'root' },
      { userId: former.id, role: 'support' },
    );
    expect((await api.call('DELETE', '/users/me', { token: former.token })).statusCode).toBe(204);
    const { results } = (
      await api.call('GET', `/operator/actions?customer_id=${former.id}`, { token: operator.token })
    ).json();

    expect(results).toMatchObject([
      { kind: 'operator.removed', reason: 'The account was deleted.', actor_id: null, actor_name: null },
      { kind: 'operator.added', actor_id: null, actor_name: 'root' },
    ]);
    expect((await findBrokenAction(api.database.db)).broken).toBeNull();
  });

  it('takes two actions at the same time: the second one waits', async () => {
    const { pool, db } = api.database;
    const clients = [await pool.connect(), await pool.connect()];
    try {
      // What an insert does first, so that both have come as far before either goes on.
      for (const client of clients)
        await client.query('begin; lock table operator_actions in row exclusive mode');
      await Promise.all(
        clients.map(async (client) => {
          await client.query(
            `insert into operator_actions (recorded_at, kind, about, reason) values (now(), 'coupon.created', 'X', 'A test')`,
          );
          await client.query('commit');
        }),
      );
    } finally {
      for (const client of clients) client.release(true);
    }
    expect((await findBrokenAction(db)).broken).toBeNull();
  });

  it('shows that the newest actions are missing', async () => {
    const undone = new Error('undone');
    const { count } = await findBrokenAction(api.database.db);
    const transaction = api.database.db.transaction().execute(async (tx) => {
      await sql`alter table operator_actions disable trigger refuse_change`.execute(tx);
      await sql`delete from operator_actions where number > ${count - 2}`.execute(tx);
      expect(await findBrokenAction(tx)).toEqual({ broken: count - 1, count: count - 2 });
      throw undone;
    });
    await expect(transaction).rejects.toBe(undone);
    await expect(sql`update operator_chain set last_number = 1`.execute(api.database.db)).rejects.toThrow(
      'only grows',
    );
  });

  it('only grows, and shows a change that was made around the database’s rules', async () => {
    const { pool, db } = api.database;
    for (const statement of [
      'update operator_actions set reason = $$x$$',
      'delete from operator_actions',
      'truncate operator_actions',
    ])
      await expect(pool.query(statement)).rejects.toThrow('only grows');
    expect((await findBrokenAction(db)).broken).toBeNull();

    const { rows } = await pool.query('select number from operator_actions order by number limit 1 offset 1');
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('alter table operator_actions disable trigger refuse_change');
      await client.query(`update operator_actions set reason = 'another' where number = $1`, [
        rows[0].number,
      ]);
      await client.query('commit');
    } finally {
      client.release();
    }
    expect((await findBrokenAction(db)).broken).toBe(rows[0].number);
  });
});
