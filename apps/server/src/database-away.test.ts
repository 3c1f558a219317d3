import { statusSchema } from '@assay/contract';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startTestApi } from './testing/api.ts';
import { movableClock } from './testing/clock.ts';

it('503 database_unavailable with a time to come back while the database is away; status, pages and liveness are answered', async () => {
  const clock = movableClock(new Date());
  const api = await startTestApi({ clock });
  onTestFinished(api.close);
  const token = await api.tokenFor();
  expect((await api.call('GET', '/users/me', { token })).statusCode).toBe(200);
  const name = new URL(api.database.url).pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);

  // More calls than a process answers without asking the database whether it may.
  for (let call = 0; call < 100; call += 1) {
    const refused = await api.call('GET', '/users/me', { token });
    expect([refused.statusCode, refused.json().errors[0].code, refused.headers['retry-after']]).toEqual([
      503,
      'database_unavailable',
      '5',
    ]);
  }
  const status = await api.call('GET', '/status');
  expect(status.statusCode).toBe(200);
  expect(statusSchema.parse(status.json()).parts.map(({ state }) => state)).toEqual([
    'unavailable',
    'unavailable',
    'unavailable',
  ]);
  expect((await api.app.inject('/docs')).statusCode).toBe(200);
  expect((await api.app.inject('/health/live')).statusCode).toBe(200);

  await admin.query(`alter database ${name} allow_connections true`);
  expect((await api.call('GET', '/users/me', { token })).statusCode).toBe(200);
  const parts = statusSchema.parse((await api.call('GET', '/status')).json()).parts;
  expect(parts[0], 'the answer without a database is not remembered').toEqual({
    name: 'api',
    state: 'operational',
  });
});
