import { operatorRoutes } from '@assay/contract/operator';
import { afterAll, expect, it } from 'vitest';
import { createSharedShares } from '../../engine/index.ts';
import { startConsole } from '../testing/console.ts';

const { api, clock, call } = await startConsole('support');
afterAll(() => api.close());

const hourMs = 3_600_000;
const note = (provider: string, egress: string, kind: string, { hoursAgo = 0, times = 1 } = {}) =>
  api.database.pool.query('insert into operation_counts values ($1, $2, $3, $4, $5)', [
    'weather',
    new Date(clock.now().getTime() - hoursAgo * hourMs),
    provider,
    `${kind} ${egress}`,
    times,
  ]);

it('GET /operator/weather: 200 with the last hour, the limits in force, and the time before', async () => {
  await note('Yahoo', 'a', 'answered', { times: 90 });
  await note('Yahoo', 'a', 'deferred', { times: 10 });
  await note('Yahoo', 'b', 'blocked', { times: 7 });
  await note('Yahoo', 'a', 'answered', { hoursAgo: 30, times: 1_000 });
  await note('others', 'a', 'timed_out', { hoursAgo: 3, times: 4 });
  const shares = createSharedShares(api.database.db, 'a');
  const report = { unknown: 5, blocked: 0, askedOf: {}, unknownOf: {}, kept: 0, wanted: 0 };
  await shares.exchange('Yahoo', { share: 0.3, recipients: 1_000 }, { ...report, asked: 100 });
  await shares.exchange('company.example', { share: 0.6, recipients: 5_000 }, { ...report, asked: 100 });

  const { places, points } = await call(operatorRoutes.getWeather, { query: '?days=7' });

  const none = { answered: 0, deferred: 0, blocked: 0, timed_out: 0, held_back: 0 };
  // The egress has just begun, so an eighth of the limit holds.
  const limit = { allowed: 37, recipients: 1_000, spent: 5, why: 'new_egress', end_date: null };
  expect(places).toEqual([
    { ...none, egress: 'a', provider: 'Yahoo', answered: 90, deferred: 10, limit },
    { ...none, egress: 'b', provider: 'Yahoo', blocked: 7, limit: null },
  ]);
  const sumOf = (egress: string, provider: string, kind: 'answered' | 'timed_out') =>
    points
      .filter(
        (point: { egress: string; provider: string }) =>
          point.egress === egress && point.provider === provider,
      )
      .reduce((sum: number, point: Record<string, number>) => sum + (point[kind] ?? 0), 0);
  expect([sumOf('a', 'Yahoo', 'answered'), sumOf('a', 'others', 'timed_out')]).toEqual([1_090, 4]);
  const lastDay = await call(operatorRoutes.getWeather, { query: '?days=1' });
  expect(lastDay.points.every(({ date }: { date: string }) => Date.parse(date) % hourMs === 0)).toBe(true);
  expect(lastDay.points.some(({ answered }: { answered: number }) => answered === 1_000)).toBe(false);
});

it('GET /operator/weather: says that nobody asks a provider that has just blocked us', async () => {
  const shares = createSharedShares(api.database.db, 'blocked');
  const report = { asked: 50, unknown: 0, blocked: 40, askedOf: {}, unknownOf: {}, kept: 0, wanted: 0 };
  await shares.exchange('Google', { share: 0.3, recipients: 1_000 }, report);

  const { places } = await call(operatorRoutes.getWeather);

  expect(places.find(({ egress }: { egress: string }) => egress === 'blocked')).toMatchObject({
    provider: 'Google',
    limit: { why: 'resting', end_date: expect.any(String) },
  });
});
