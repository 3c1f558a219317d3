import { randomUUID } from 'node:crypto';
import { STATUS_PARTS, type Status, statusSchema } from '@assay/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { announceProcess } from '../../../platform/live-processes.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { addOperator, findBrokenAction } from '../index.ts';
import { createTroubleWatch } from './status.ts';

const clock = movableClock(new Date());
let api: TestApi;
let operator: { token: string; id: string };

beforeAll(async () => {
  api = await startTestApi({ clock });
  const token = await api.tokenFor();
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  operator = { token, id };
  const order = { actorId: null, reason: 'A test' };
  await addOperator({ db: api.database.db, clock }, order, { userId: id, role: 'support' });
});
afterAll(() => api.close());
beforeEach(() => api.database.pool.query('delete from incidents'));

type State = Status['parts'][number]['state'];
/** All parts are well but those that are named. */
const parts = (states: Partial<Record<(typeof STATUS_PARTS)[number], State>> = {}): Status['parts'] =>
  STATUS_PARTS.map((name) => ({ name, state: states[name] ?? 'operational' }));
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 18, 3, minutes));
const recorded = async () => {
  const { rows } = await api.database.pool.query(
    'select part, state, began_at as began, ended_at as ended from incidents order by began_at, part',
  );
  return rows;
};

describe('the watch of an API process', () => {
  it('opens an incident at the second check that a part fails, with its first moment and worst state, and ends it', async () => {
    const watch = createTroubleWatch(api.database.db);
    await watch(parts({ lists: 'degraded' }), at(0));
    expect(await recorded(), 'one failed check may be a restart').toEqual([]);
    await watch(parts({ lists: 'degraded' }), at(1));
    expect(await recorded()).toEqual([{ part: 'lists', state: 'degraded', began: at(0), ended: null }]);
    await watch(parts({ lists: 'unavailable' }), at(2));
    await watch(parts({ lists: 'degraded' }), at(3));
    await watch(parts(), at(4));

    expect(await recorded()).toEqual([{ part: 'lists', state: 'unavailable', began: at(0), ended: at(4) }]);
    await watch(parts({ lists: 'degraded' }), at(5));
    await watch(parts(), at(6));
    expect(await recorded(), 'a single failed check again').toHaveLength(1);
  });

  it('goes on with an incident that ended less than ten minutes before, and opens another one later', async () => {
    const watch = createTroubleWatch(api.database.db);
    for (const minute of [0, 1]) await watch(parts({ api: 'degraded' }), at(minute));
    await watch(parts(), at(2));
    for (const minute of [11, 12]) await watch(parts({ api: 'degraded' }), at(minute));
    expect(await recorded()).toEqual([{ part: 'api', state: 'degraded', began: at(0), ended: null }]);
    await watch(parts(), at(13));
    for (const minute of [24, 25]) await watch(parts({ api: 'degraded' }), at(minute));

    expect(await recorded()).toEqual([
      { part: 'api', state: 'degraded', began: at(0), ended: at(13) },
      { part: 'api', state: 'degraded', began: at(24), ended: null },
    ]);
  });

  it('records one incident of 16 processes, and none of them ends what another has seen once more', async () => {
    const watches = Array.from({ length: 16 }, () => createTroubleWatch(api.database.db));
    const check = (states: Parameters<typeof parts>[0], minute: number) =>
      Promise.all(watches.map((watch) => watch(parts(states), at(minute))));
    await check({ verification: 'unavailable' }, 0);
    await check({ verification: 'unavailable' }, 1);
    const late = createTroubleWatch(api.database.db);
    await late(parts({ verification: 'unavailable' }), at(2));
    expect(await recorded()).toEqual([
      { part: 'verification', state: 'unavailable', began: at(0), ended: null },
    ]);
    await check({}, 3);

    expect(await recorded()).toEqual([
      { part: 'verification', state: 'unavailable', began: at(0), ended: at(3) },
    ]);
  });
});

describe('GET /status', () => {
  const incidentsOf = async () => statusSchema.parse((await api.call('GET', '/status')).json()).incidents;

  it('200 with incidents that the API records although nobody asks, also while the database was away', async () => {
    const worker = await announceProcess({
      db: api.database.db,
      logger: createLogger({ level: 'silent', process: 'test' }),
      kind: 'worker',
      version: { version: '1.0.0', commit: 'abc' },
    });
    const name = new URL(api.database.url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const datesOfChecks = async (checks: number) => {
      const dates = new Set<string>();
      await expect
        .poll(
          async () => {
            clock.advance({ seconds: 31 });
            dates.add((await api.call('GET', '/status')).json().date);
            return dates.size;
          },
          { timeout: 20_000 },
        )
        .toBeGreaterThan(checks);
    };
    await datesOfChecks(6);
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();

    await expect
      .poll(
        async () => {
          clock.advance({ seconds: 31 });
          const incidents = await incidentsOf();
          return incidents.filter(
            ({ part, state, end_date }) => part === 'api' && state === 'unavailable' && end_date,
          );
        },
        { timeout: 20_000 },
      )
      .toHaveLength(1);
    await worker.close();
  });

  it('200 with those of operators for 90 days, the newest first; each sentence is the reason in the log', async () => {
    const call = (path: string, body: object) =>
      api.call('POST', `/operator/incidents${path}`, { token: operator.token, body });
    const old = await call('', { part: 'lists', state: 'degraded', words: 'Lists were slow.' });
    expect((await call(`/${old.json().id}/close`, { words: 'All is well.' })).statusCode).toBe(200);
    await api.database.pool.query(
      `update incidents set began_at = began_at - interval '91 days', ended_at = ended_at - interval '91 days'`,
    );
    const opened = await call('', { part: 'api', state: 'degraded', words: 'We look into it.' });
    expect(opened.statusCode).toBe(201);
    const { id } = opened.json();
    clock.advance({ seconds: 1 });
    expect((await call(`/${id}/notes`, { words: 'A provider is away.' })).json().end_date).toBeNull();
    clock.advance({ seconds: 31 });
    const { parts: shown } = statusSchema.parse((await api.call('GET', '/status')).json());
    expect(
      shown.find(({ name }) => name === 'api'),
      'what an operator says counts',
    ).toMatchObject({
      state: 'degraded',
    });
    expect((await call(`/${id}/close`, { words: 'It is back.' })).json().end_date).not.toBeNull();
    clock.advance({ seconds: 31 });

    const incidents = await incidentsOf();
    expect(incidents.map((incident) => incident.id)).not.toContain(old.json().id);
    expect(incidents.filter((incident) => incident.id === id)).toMatchObject([
      {
        id,
        part: 'api',
        notes: [{ words: 'We look into it.' }, { words: 'A provider is away.' }, { words: 'It is back.' }],
      },
    ]);
    const { results } = (await api.call('GET', '/operator/actions', { token: operator.token })).json();
    expect(results.slice(0, 3)).toMatchObject([
      { kind: 'incident.closed', about: id, reason: 'It is back.', actor_id: operator.id },
      { kind: 'incident.noted', about: id, reason: 'A provider is away.' },
      { kind: 'incident.opened', about: `api degraded ${id}` },
    ]);
    for (const [path, body] of [
      [`/${id}/close`, { words: 'Again.' }],
      [`/${randomUUID()}/notes`, { words: 'For nothing.' }],
    ] as const)
      expect((await call(path, body)).json().errors[0].code).toBe('incident_not_found');
    expect((await call(`/${id}/notes`, { words: ' ' })).json().errors[0].code).toBe('invalid_request');
    expect((await findBrokenAction(api.database.db)).broken).toBeNull();
  });

  it('an incident with 50 sentences takes one more only to close', async () => {
    const call = (path: string, body: object) =>
      api.call('POST', `/operator/incidents${path}`, { token: operator.token, body });
    const opened = await call('', { part: 'api', state: 'degraded', words: 'We look into it.' });
    const { id, notes } = opened.json();
    const full = JSON.stringify(Array(50).fill(notes[0]));
    await api.database.pool.query('update incidents set notes = $2::jsonb where id = $1', [id, full]);

    const noted = await call(`/${id}/notes`, { words: 'Still.' });
    expect(noted.json().errors[0].code).toBe('incident_not_found');
    const closed = await call(`/${id}/close`, { words: 'It is back.' });
    expect(closed.json()).toMatchObject({ id, end_date: expect.any(String) });
  });
});
