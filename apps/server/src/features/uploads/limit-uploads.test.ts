import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createConcurrencyLimit } from '../../platform/limits/index.ts';
import { testHttpServer } from '../../testing/http-server.ts';
import { limitUploads } from './limit-uploads.ts';

it('an upload whose client leaves while the token is checked keeps no place', async () => {
  const uploads = createConcurrencyLimit(1, 'Too many files at once.');
  const tokenCheck = Promise.withResolvers<void>();
  const reachedHandler = Promise.withResolvers<void>();
  const { app } = await testHttpServer(async (server: FastifyInstance) => {
    await server.register(multipart);
    server.addHook('onRequest', async (request) => {
      request.caller = { accountId: 'ann', role: 'owner' };
      await tokenCheck.promise;
    });
    limitUploads(server, uploads);
    server.post('/files', { config: { auth: 'public' } }, async () => {
      reachedHandler.resolve();
      return {};
    });
  });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const arrived = once(app.server, 'request');
  const connected = once(app.server, 'connection');
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const head = ['POST /files HTTP/1.1', 'Host: assay.test', 'Content-Type: multipart/form-data; boundary=x'];
  client.write(`${[...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n--x`);
  await arrived;
  const [serverSide] = (await connected) as [Socket];
  const closed = once(serverSide, 'close');
  client.destroy();
  await closed;

  tokenCheck.resolve();
  await reachedHandler.promise;

  expect(uploads.tryTake('ann')).toBeDefined();
});
