import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@assay/postgres/testing/free-port';
import { startObjectStore } from '@assay/stand-ins/object-store';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { settingsOf } from '../platform/files/testing/s3-store.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { startTestIssuer, type TestIssuer } from '../testing/issuer.ts';

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));

/** Throws where nothing catches it. */
const thrower = "process.on('SIGUSR2', () => setTimeout(() => { throw new Error('thrown by the test') }))";
const throwsOnSignal = `--import data:text/javascript,${encodeURIComponent(thrower)}`;

describe('assay api', () => {
  let database: TestDatabase;
  let issuer: TestIssuer;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    issuer = await startTestIssuer();
  });
  afterEach(() => {
    for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });
  afterAll(async () => {
    await issuer.close();
    await database.close();
  });

  const launch = (env: NodeJS.ProcessEnv, [program, ...args]: [string, ...string[]] = [process.execPath]) => {
    const child = spawn(program, [...args, assay, 'api'], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    running.push(child);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => lines.push(line));
    }
    const exited = once(child, 'exit').then(([code]) => code as number | null);
    const untilSaid = (words: string) =>
      vi.waitUntil(() => lines.some((line) => line.includes(words)), { timeout: 50_000, interval: 20 });
    return { child, exited, lines, untilSaid };
  };
  const settings = async () => ({
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    DATABASE_URL: database.url,
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: issuer.audience,
    ASSAY_SECRET: 'a secret of at least thirty-two bytes',
    ASSAY_COMMIT: 'abc123',
    ASSAY_WEB_APP: 'none',
  });

  it('serves, is ready while all its connections are in use, finishes requests when stopped, and exits', async () => {
    const env = { ...(await settings()), DATABASE_POOL_SIZE: '2' };
    const { child, exited, lines, untilSaid } = launch(env);
    await untilSaid('"serving"');
    const origin = `http://127.0.0.1:${env.PORT}`;
    expect(await fetch(`${origin}/version.json`).then((answer) => answer.json())).toMatchObject({
      commit: 'abc123',
    });
    expect((await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).status).toBe(200);

    // Two customers, because one never has all connections.
    const callers = await Promise.all(
      ['ada', 'grace'].map(async (name) => {
        const claims = { sub: name, email: `${name}@example.com`, email_verified: true, sid: name };
        const authorization = `Bearer ${await issuer.tokenFor(claims, { lifeSeconds: 600 })}`;
        return () => fetch(`${origin}/api/billing/me`, { headers: { authorization } });
      }),
    );
    for (const call of callers) expect((await call()).status).toBe(200);

    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin; lock table wallets in access exclusive mode');
    const slow = Promise.all(callers.map((call) => call()));
    await untilBlocked(database, 2);
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    await untilSaid('"stopping"');
    const isServing = () =>
      fetch(`${origin}/health/live`).then(
        () => true,
        () => false,
      );
    await expect.poll(isServing).toBe(false);
    await blocker.query('commit');
    await blocker.end();

    const answers = await slow;
    expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [200, 'close'],
      [200, 'close'],
    ]);
    expect(await exited).toBe(0);
    expect(lines.at(-1)).toContain('"stopped"');
    expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });

  it('is not ready while it drains, but still serves', async () => {
    const env = { ...(await settings()), SHUTDOWN_DRAIN_SECONDS: '3600' };
    const { child, untilSaid } = launch(env);
    await untilSaid('"serving"');
    const ready = () => fetch(`http://127.0.0.1:${env.PORT}/health/ready`);
    expect((await ready()).status).toBe(200);

    child.kill('SIGINT');
    await untilSaid('"stopping"');
    const answer = await ready();
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'stopping' }]);
  });

  it('after an uncaught error it finishes calls under way, refuses others with 503, and exits with 1', async () => {
    const env = { ...(await settings()), DATABASE_POOL_SIZE: '2', NODE_OPTIONS: throwsOnSignal };
    const { child, exited, lines, untilSaid } = launch(env);
    await untilSaid('"serving"');
    const origin = `http://127.0.0.1:${env.PORT}`;
    const authorization = `Bearer ${await issuer.tokenFor({ email: 'bo@example.com', sid: 's2' }, { lifeSeconds: 600 })}`;
    const call = () => fetch(`${origin}/api/billing/me`, { headers: { authorization } });
    expect((await call()).status).toBe(200);
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin; lock table wallets in access exclusive mode');
    const underWay = call();
    await untilBlocked(database, 1);
    const late = connect(Number(env.PORT), '127.0.0.1')
      .setEncoding('utf8')
      .on('error', () => undefined);
    let answer = '';
    late.on('data', (text) => {
      answer += text;
    });
    late.write('GET /api/status HTTP/1.1\r\n');
    // The server has read the line above when it answers on a connection that was opened later.
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);

    child.kill('SIGUSR2');
    await untilSaid('uncaught error');
    late.write('Host: localhost\r\n\r\n');
    await once(late, 'close');
    await blocker.query('commit');
    await blocker.end();

    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer.toLowerCase()).toContain('retry-after: 5');
    expect((await underWay).status).toBe(200);
    expect(await exited).toBe(1);
    const logged = lines.find((line) => line.includes('"fatal"'));
    expect(JSON.parse(logged ?? '{}')).toMatchObject({
      process: 'api',
      origin: 'uncaughtException',
      instance: expect.stringContaining(`:${child.pid}`),
      err: { message: 'thrown by the test' },
    });
  });

  it('keeps below its file limit under a flood of half requests, lives on and serves', async () => {
    const env = await settings();
    const { child, untilSaid } = launch(env, ['sh', '-c', 'ulimit -n 400; exec "$0" "$@"', process.execPath]);
    await untilSaid('"serving"');
    const sockets = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((localAddress) =>
      Array.from({ length: 200 }, () =>
        connect({ port: Number(env.PORT), host: '127.0.0.1', localAddress }).on('error', () => undefined),
      ),
    );
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\n');
    const countOpen = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(countOpen, { timeout: 20_000 }).toBe(144);
    expect((await readdir(`/proc/${child.pid}/fd`)).length).toBeLessThan(300);

    for (const socket of sockets) socket.destroy();
    const status = () =>
      fetch(`http://127.0.0.1:${env.PORT}/health/live`).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  it('serves on all addresses although the system does not tell its network interfaces', async () => {
    const forbidden =
      "import os from 'node:os'; os.networkInterfaces = () => { throw new Error('EAFNOSUPPORT') };";
    const env = {
      ...(await settings()),
      HOST: '0.0.0.0',
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(forbidden)}`,
    };
    const { untilSaid } = launch(env);
    await untilSaid('"serving"');
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/live`)).status).toBe(200);
  });

  it('stops when its supervisor is gone', async () => {
    const { child, exited, untilSaid } = launch(await settings());
    await untilSaid('"serving"');
    child.disconnect();

    expect(await exited).toBe(0);
  });

  it('stops with 0 while the collector of traces is away', async () => {
    const env = {
      ...(await settings()),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    };
    const { child, exited, untilSaid } = launch(env);
    await untilSaid('"serving"');
    expect((await fetch(`http://127.0.0.1:${env.PORT}/health/live`)).status).toBe(200);
    child.kill('SIGTERM');

    expect(await exited).toBe(0);
  });

  it('refuses to start with a wrong configuration and names every problem', async () => {
    const { exited, lines } = launch({ PORT: 'x', ASSAY_STAGE: 'nowhere' });

    expect(await exited).toBe(1);
    expect(lines.join('\n')).toMatch(
      /PORT must be [\s\S]*ASSAY_STAGE must be [\s\S]*DATABASE_URL must be given/,
    );
  });

  it('names the problem with the file store and exits', async () => {
    const objectStore = await startObjectStore();
    const env = { ...(await settings()), ...settingsOf(objectStore), S3_SECRET_ACCESS_KEY: 'not-the-secret' };
    const { exited, lines, untilSaid } = launch(env);

    expect(await exited).toBe(1);
    // Output and log come through two pipes.
    await untilSaid('correct S3_SECRET_ACCESS_KEY');
    const fatal = lines.find((line) => line.includes('"fatal"')) ?? '{}';
    expect(JSON.parse(fatal)).toMatchObject({
      process: 'api',
      msg: expect.stringMatching(/^The file store s3:\/\/assay\/ /),
    });
    await objectStore.close();
  });

  it('says in log and readiness that the web app is not built', async () => {
    const env = { ...(await settings()), ASSAY_WEB_APP: '/nowhere/dist' };
    const { lines, untilSaid } = launch(env);
    await untilSaid('"serving"');

    const answer = await fetch(`http://127.0.0.1:${env.PORT}/health/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'web_app_missing' }]);
    expect(lines.filter((line) => line.includes('"error"'))).toEqual([
      expect.stringContaining('the web app is not built: run `npm run build`'),
    ]);
  });

  it('waits for a pooler that is away when it starts', async () => {
    const address = new URL(database.url);
    const target = { port: Number(address.port), host: address.hostname };
    const port = await freePort();
    address.port = String(port);
    address.hostname = '127.0.0.1';
    const env = { ...(await settings()), DATABASE_DIRECT_URL: database.url, DATABASE_URL: address.href };
    const { untilSaid } = launch(env);
    await untilSaid('the database is away; waiting for it');

    const pooler = createServer((socket) => {
      const upstream = connect(target);
      for (const end of [socket, upstream]) end.on('error', () => end.destroy());
      socket.pipe(upstream).pipe(socket);
    }).listen(port, '127.0.0.1');
    await untilSaid('"serving"');
    pooler.close();
  });

  it('names the port that is taken and exits', async () => {
    const env = await settings();
    const squatter = createServer().listen(Number(env.PORT), '127.0.0.1');
    await once(squatter, 'listening');
    const { exited, lines } = launch(env);

    expect(await exited).toBe(1);
    expect(lines.join('\n')).toContain(`127.0.0.1:${env.PORT}`);
    squatter.close();
  });
});

/** Waits until a statement waits for a lock of the test. */
async function untilBlocked({ pool }: TestDatabase, count = 1): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length >= count;
    },
    { timeout: 50_000, interval: 20 },
  );
}
