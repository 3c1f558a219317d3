import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { startTestIssuer } from '../testing/issuer.ts';

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));
const lateText = 'did not end in time; ending without closing what is still open';

/** Leads to PostgreSQL, until it goes silent: then it takes connections and bytes, and never answers or closes. */
async function startSilenceable(databaseUrl: string) {
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
  return {
    url: url.href,
    fallSilent: () => {
      isSilent = true;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

describe('a process that is asked to stop while the database is silent', () => {
  const closing: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  // Together, because each waits half a minute.
  it.concurrent.for([
    ['api', (child: ChildProcess) => child.kill('SIGTERM')],
    ['worker', (child: ChildProcess) => child.kill('SIGINT')],
    ['identity', (child: ChildProcess) => child.disconnect()],
  ] as const)(
    'ends in time: %s',
    { timeout: 300_000 },
    async ([command, ask], { expect: expectHere, onTestFinished: onFinished }) => {
      const database = await createTestDatabase();
      closing.push(() => database.close());
      const issuer = await startTestIssuer();
      closing.push(() => issuer.close());
      const silenceable = await startSilenceable(database.url);
      closing.push(() => silenceable.close());
      const child = spawn(process.execPath, [assay, command], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: silenceable.url,
          ASSAY_SECRET: 'a secret of at least thirty-two bytes',
          ASSAY_WEB_APP: 'none',
          ASSAY_EGRESS_TARGETS: 'none',
          ASSAY_BLOCK_LISTS: 'none',
          PORT: String(await freePort()),
          METRICS_PORT: String(await freePort()),
          WORKER_METRICS_PORT: String(await freePort()),
          IDENTITY_PORT: String(await freePort()),
          ...(command === 'identity'
            ? { PUBLIC_URL: 'http://localhost:1', SMTP_RELAY_URL: 'smtp://127.0.0.1:1' }
            : { OIDC_ISSUER: issuer.url }),
        },
      });
      onFinished(() => void child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      const lines: string[] = [];
      createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => lines.push(line));
      await vi.waitUntil(() => lines.some((line) => /"(serving|working)"/.test(line)), { timeout: 120_000 });

      silenceable.fallSilent();
      ask(child);

      expectHere(await ended).toEqual([1, null]);
      expectHere(lines.at(-1)).toContain(lateText);
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
