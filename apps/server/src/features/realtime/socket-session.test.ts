import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Subject } from '../../platform/auth/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logging/index.ts';
import { Channels } from './channels.ts';
import { runSession } from './socket-session.ts';

it('leaves no timer behind for a socket that closes while its session is checked', async () => {
  const timers = new Set<object>();
  const secondCheck = Promise.withResolvers<void>();
  const channels = new Channels({ perCustomerMax: 5 });
  let checks = 0;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) =>
    runSession(socket, {
      channels,
      verifyBearer: async () => ({ subject: {} as Subject, expiresAt: new Date(Date.now() + 1_800_000) }),
      resolveSubject: async () => {
        checks += 1;
        if (checks === 2) await secondCheck.promise;
        return { accountId: 'u1', userId: 'u1', role: 'owner' };
      },
      isListening: () => true,
      clock: systemClock,
      schedule: () => {
        const timer = {};
        timers.add(timer);
        return () => timers.delete(timer);
      },
      logger: createLogger({ level: 'silent', process: 'test' }),
    }),
  );
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(client, 'open');
  client.send(JSON.stringify({ token: 'a token' }));
  await expect.poll(() => checks).toBe(2);

  client.close();
  await expect.poll(() => channels.socketCount).toBe(0);
  secondCheck.resolve();
  await new Promise((resolve) => setImmediate(resolve));

  expect(timers.size).toBe(0);
  server.close();
});
