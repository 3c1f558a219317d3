import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { startTestIssuer } from '../testing/issuer.ts';

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));

/** Leads to PostgreSQL, until it falls silent (it takes connections and bytes, and never answers or closes) or refuses connections. */
async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    client.resume();
    if (isSilent) return;
    const upstream = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    keep(upstream);
    const forward = (from: Socket, to: Socket) =>
      from.on('data', (bytes) => !isSilent && to.write(bytes)).on('end', () => !isSilent && to.end());
    forward(client, upstream);
    forward(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  const refuse = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    /** Resolves when a process connects from now on. */
    untilConnected: () => once(server, 'connection'),
    fail: (how: 'is silent' | 'refuses') => {
      if (how === 'refuses') refuse();
      else isSilent = true;
    },
    close: refuse,
  };
}

describe('a process that is asked to stop while the database does not answer', () => {
  const closing: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const inOrder = { code: 0, lastWords: '"stopped"' };
  const late = { code: 1, lastWords: 'did not end in time; ending without closing what is still open' };
  // Each command, state, failure and request meets the others; all pairs would cost a minute of processor time.
  const cases = [
    ['api', 'serves', 'is silent', ['SIGTERM', 'SIGTERM'], late],
    ['api', 'serves', 'refuses', ['SIGINT'], inOrder],
    ['api', 'starts', 'is silent', ['SIGINT'], inOrder],
    ['worker', 'serves', 'is silent', ['SIGINT'], late],
    ['worker', 'serves', 'refuses', ['SIGTERM'], inOrder],
    ['worker', 'starts', 'refuses', ['SIGTERM'], inOrder],
    ['identity', 'serves', 'is silent', ['disconnect'], late],
    ['identity', 'starts', 'refuses', ['SIGINT'], inOrder],
    ['start', 'serves', 'is silent', ['SIGINT', 'SIGINT'], { code: 0, lastWords: 'Stopping …' }],
    ['start', 'starts', 'is silent', ['SIGTERM'], { code: 0, lastWords: '' }],
    ['start', 'starts', 'refuses', ['SIGINT'], { code: 0, lastWords: 'the database is away' }],
  ] as const;

  // Together, because some wait half a minute.
  it.concurrent.for(cases)(
    'ends: assay %s that %s, a database that %s, %s',
    { timeout: 600_000 },
    async (
      [command, state, failure, requests, ending],
      { expect: expectHere, onTestFinished: onFinished },
    ) => {
      const database = await createTestDatabase();
      closing.push(() => database.close());
      const issuer = await startTestIssuer();
      closing.push(() => issuer.close());
      const proxy = await startProxy(database.url);
      closing.push(() => proxy.close());
      const data = await mkdtemp(join(tmpdir(), 'assay-end-'));
      closing.push(() => rm(data, { recursive: true, force: true }));
      const connected = proxy.untilConnected();
      if (state === 'starts') proxy.fail(failure);
      const child = spawn(process.execPath, [assay, command], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: proxy.url,
          ASSAY_DATA: data,
          ASSAY_SECRET: 'a secret of at least thirty-two bytes',
          ASSAY_WEB_APP: 'none',
          ASSAY_EGRESS_TARGETS: 'none',
          ASSAY_BLOCK_LISTS: 'none',
          METRICS_PORT: String(await freePort()),
          WORKER_METRICS_PORT: String(await freePort()),
          IDENTITY_PORT: String(await freePort()),
          PORT: String(await freePort()),
          // Its processes have the words of their own rows.
          ...(command === 'start' && { LOG_LEVEL: 'fatal' }),
          ...(command === 'identity'
            ? { PUBLIC_URL: 'http://localhost:1', SMTP_RELAY_URL: 'smtp://127.0.0.1:1' }
            : { OIDC_ISSUER: issuer.url }),
        },
      });
      onFinished(() => void child.kill('SIGKILL'));
      const lines: string[] = [];
      const outputs = [child.stdout, child.stderr].map((output) =>
        createInterface(output as NodeJS.ReadableStream).on('line', (line) => line && lines.push(line)),
      );
      const ended = Promise.all([once(child, 'exit'), ...outputs.map((output) => once(output, 'close'))]);
      const untilSaid = (words: RegExp) =>
        vi.waitUntil(() => child.exitCode !== null || lines.some((line) => words.test(line)), {
          timeout: 500_000,
        });
      if (state === 'serves') {
        await untilSaid(/"(serving|working)"|Assay is ready/);
        proxy.fail(failure);
      } else {
        await (failure === 'refuses' ? untilSaid(/the database is away/) : Promise.race([connected, ended]));
      }

      for (const [index, request] of requests.entries()) {
        // The system joins equal signals that come at once.
        if (index > 0) await untilSaid(/stopping/i);
        if (request === 'disconnect') child.disconnect();
        else child.kill(request);
      }

      const [[code]] = await ended;
      expectHere([code, lines.at(-1) ?? '']).toEqual([
        ending.code,
        expectHere.stringContaining(ending.lastWords),
      ]);
    },
  );
});

describe('a process whose parent ended', () => {
  it('stops also if that happened before it listened', async () => {
    const program = `
      await new Promise((resolve) => process.once('disconnect', resolve));
      const { runUntilStopped } = await import('${import.meta.resolve('./run-until-stopped.ts')}');
      process.exitCode = await runUntilStopped({ level: 'info', process: 'test' }, async ({ logger, stopAsked }) => {
        logger.info({ asked_by: await stopAsked }, 'stopping');
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    let log = '';
    child.stdout?.on('data', (text) => {
      log += text;
    });
    child.disconnect();

    expect(await ended).toEqual([0, null]);
    expect(log).toContain('"asked_by":"disconnect"');
  });
});
