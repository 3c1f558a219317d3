import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../platform/database/database.ts';
import { announceProcess } from '../../../platform/live-processes.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { showOperation } from './operation-metrics.ts';

const clock = movableClock(new Date());
const logger = createLogger({ level: 'silent', process: 'test' });
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());

it('tells of processes, queues, lists and the disk, and keeps its values while the database is away', async () => {
  const metrics = createMetrics();
  const { db } = api.database;
  const away = openDatabase({
    url: api.database.url,
    poolSize: 2,
    applicationName: 'test',
    onIdleError: () => undefined,
  });
  showOperation({ metrics, db: away.db, clock, files: { kind: 'folder', folder: tmpdir() } });
  const read = () => metrics.registry.metrics();
  for (const kind of ['api', 'worker', 'identity'])
    expect(await read()).toContain(`assay_processes{kind="${kind}",version=""} 0`);

  const version = { version: '1.2.3', commit: 'abc' };
  const worker = await announceProcess({ db, logger, kind: 'worker', version });
  const token = await api.tokenFor();
  const newList = async (name: string) =>
    (
      await api.call('POST', '/validations/lists', { token, body: { name, emails: ['a@exists.test'] } })
    ).json().id as string;
  const spring = await newList('Spring');
  const paused = await newList('Summer');
  await api.call('POST', `/validations/lists/${paused}/pause`, { token });
  clock.advance({ minutes: 5 });

  const told = await read();
  expect(told).toContain('assay_processes{kind="worker",version="1.2.3"} 1');
  expect(told).toContain('assay_queue_waiting{queue="validations.verify-short-list"} 2');
  expect(told).toMatch(/assay_queue_oldest_seconds{queue="validations.verify-short-list"} [1-9]/);
  expect(told).toContain('assay_lists{kind="emails",status="PENDING"} 1');
  expect(told).toContain('assay_lists{kind="emails",status="PAUSED"} 1');
  expect(told).toContain('assay_lists_oldest_progress_seconds{kind="emails"} 300');
  expect(told).toMatch(/assay_disk_bytes{state="free"} \d{6,}/);

  for (const status of ['PREPARING', 'FINISHING']) {
    await api.database.pool.query('update validation_lists set status = $2 where id = $1', [spring, status]);
    await newList('Autumn');
    expect(await read(), status).toContain('assay_lists_oldest_progress_seconds{kind="emails"} 300');
  }

  await worker.close();
  await away.close();
  expect(await read()).toContain('assay_processes{kind="worker",version="1.2.3"} 1');
});
