import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));

/** Rejects where nothing handles it: on one signal in the process, on another in its thread. Only processes get signals. */
const rejecter = `
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
const reject = () => void Promise.reject(new Error('rejected by the test'));
const channel = new BroadcastChannel('reject');
channel.unref();
if (isMainThread) process.on('SIGUSR2', reject).on('SIGURG', () => channel.postMessage(''));
else channel.onmessage = reject;`;
/** Ends its process at the first statement that carries this id, as a job with a hostile payload might. */
const poisonId = randomUUID();
const killer = `
import { Socket } from 'node:net';
const { write } = Socket.prototype;
Socket.prototype.write = function (chunk, ...rest) {
  if (Buffer.from(chunk).includes('${poisonId}')) process.kill(process.pid, 'SIGKILL');
  return write.call(this, chunk, ...rest);
};`;
const preload = (code: string) => `--import data:text/javascript,${encodeURIComponent(code)}`;
const uncaughtText = 'uncaught error; taking no new work, ending when the work under way is done';

describe('assay worker', () => {
  let database: TestDatabase;
  let worker: ChildProcess;
  let logLines: AsyncIterator<string>;

  const startWorker = async () => {
    worker = spawn(process.execPath, [assay, 'worker'], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        OIDC_ISSUER: 'http://localhost:1',
        ASSAY_SECRET: 'a secret that only this test knows, long enough',
        ASSAY_EGRESS_TARGETS: 'none',
        ASSAY_BLOCK_LISTS: 'none',
        NODE_OPTIONS: `${preload(rejecter)} ${preload(killer)}`,
        WORKER_METRICS_PORT: String(await findFreePort()),
      },
    });
    logLines = createInterface({ input: worker.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  };
  beforeEach(async () => {
    database = await createTestDatabase();
    await startWorker();
  });
  afterEach(async () => {
    if (worker.exitCode === null && worker.signalCode === null) {
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    await database.close();
  });

  const untilLogged = async (message: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await logLines.next();
      if (done) throw new Error(`The worker ended without saying '${message}'.`);
      const line = JSON.parse(value);
      if (line.msg === message) return line;
    }
  };

  it('schedules jobs, serves metrics, and exits when stopped', async () => {
    const { metrics_port: port } = await untilLogged('working');
    const { rows } = await database.pool.query('select name, cron from queue.schedule order by name');
    expect(rows).toContainEqual({ name: 'billing.audit-ledger', cron: '17 3 * * *' });
    expect(rows).toContainEqual({ name: 'billing.renew-free-plans', cron: '* * * * *' });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('assay_ledger_disagreements 0');
    expect(metrics).toContain('assay_dead_letters 0');
    expect(metrics).toContain('assay_last_backup_timestamp_seconds 0');
    expect(metrics).toContain('assay_lists_repaired_total{kind="emails"} 0');
    expect(metrics).toMatch(/^assay_build_info\{version="\d+\.\d+\.\d+",commit="[^"]+"\} 1$/m);
    // The metrics add up both pools.
    expect(metrics).toMatch(/^assay_database_waiting 0$/m);
    const { rows: connected } = await database.pool.query(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and application_name like 'assay worker%'`,
    );
    expect(connected.map(({ name }) => name)).toContain('assay worker bulk queue');

    worker.kill('SIGTERM');

    expect((await untilLogged('stopping')).asked_by).toBe('SIGTERM');
    await untilLogged('stopped');
    expect(await once(worker, 'exit')).toEqual([0, null]);
  });

  it('serves metrics and goes on while the database is away', async () => {
    const { metrics_port: port } = await untilLogged('working');
    const name = new URL(database.url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);

    const scrape = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([scrape.status, await scrape.text()]).toEqual([
      200,
      expect.stringContaining('process_resident_memory_bytes'),
    ]);

    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
  });

  it.each(['process', 'thread for long lists'])(
    'after an uncaught error of its %s it takes no more jobs and exits with 1',
    async (place) => {
      await untilLogged('working');

      worker.kill(place === 'process' ? 'SIGUSR2' : 'SIGURG');

      expect(await untilLogged(uncaughtText)).toMatchObject({
        level: 'fatal',
        process: 'worker',
        origin: 'unhandledRejection',
        err: { message: 'rejected by the test' },
      });
      await untilLogged('stopped');
      expect(await once(worker, 'exit')).toEqual([1, null]);
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and application_name like 'assay worker%'`,
      );
      expect(rows).toEqual([]);
    },
  );

  it('stops when its supervisor is gone', async () => {
    await untilLogged('working');

    worker.disconnect();

    expect((await untilLogged('stopping')).asked_by).toBe('disconnect');
    expect(await once(worker, 'exit')).toEqual([0, null]);
  });

  it('a job that ends its worker ends no other one: its retry has a process of its own', async () => {
    await untilLogged('working');
    const enqueueSingle = async (validationId: string) => {
      const { rows } = await database.pool.query(
        `insert into queue.job (name, data, retry_limit, dead_letter)
         select name, $1, retry_limit, dead_letter from queue.queue where name = 'validations.verify-single'
         returning id`,
        [{ ownerId: randomUUID(), validationId }],
      );
      return rows[0].id as string;
    };
    const stateOf = async (id: string) =>
      (await database.pool.query('select state from queue.job where id = $1', [id])).rows[0]?.state;
    const poisonJobId = await enqueueSingle(poisonId);
    expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
    // Was under way there too.
    const innocentJobId = await enqueueSingle(randomUUID());
    await database.pool.query(
      `update queue.job set state = 'active', started_on = now(), heartbeat_on = now() where id = $1`,
      [innocentJobId],
    );
    await database.pool.query(
      `insert into job_runs (job_id, job_name, retry_count, worker_number)
       select $1, job_name, 0, worker_number from job_runs where job_id = $2`,
      [innocentJobId, poisonJobId],
    );

    await startWorker();
    await untilLogged('a job has ended its process again, this time alone; it is tried no more');

    await expect.poll(() => stateOf(poisonJobId), { timeout: 20_000 }).toBe('failed');
    await expect.poll(() => stateOf(innocentJobId), { timeout: 20_000 }).toBeUndefined();
    const { rows: letters } = await database.pool.query(
      `select data ->> 'validationId' as id from queue.job where name = 'dead-letters'`,
    );
    expect(letters).toEqual([{ id: poisonId }]);
    expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
  }, 180_000);
});
