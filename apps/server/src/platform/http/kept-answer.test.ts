import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { testHttpServer } from '../../testing/http-server.ts';
import { KeptAnswer } from './kept-answer.ts';

const text = 'The same text for every reader. '.repeat(200);

async function openServer() {
  const kept = new KeptAnswer('text/plain; charset=utf-8', text);
  const { app } = await testHttpServer((server) => {
    server.get('/kept', { config: { auth: 'public' } }, (request, reply) =>
      kept.send(request, reply, { 'cache-control': 'no-cache', vary: 'cookie' }),
    );
  });
  onTestFinished(() => app.close());
  return (headers: Record<string, string> = {}) => app.inject({ url: '/kept', headers });
}

it('is sent in the best encoding that the client takes, with one tag', async () => {
  const read = await openServer();
  const [brotli, gzipped, plain, refused] = await Promise.all([
    read({ 'accept-encoding': 'gzip, deflate, br;q=0.5' }),
    read({ 'accept-encoding': 'gzip' }),
    read(),
    read({ 'accept-encoding': 'br;q=0, gzip;q=0.000' }),
  ]);
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(text);
  expect(gunzipSync(gzipped.rawPayload).toString()).toBe(text);
  expect([plain.body, refused.body]).toEqual([text, text]);
  expect(
    [brotli, gzipped, plain, refused].map(({ headers }) => [headers['content-encoding'], headers.vary]),
  ).toEqual([
    ['br', 'cookie, accept-encoding'],
    ['gzip', 'cookie, accept-encoding'],
    [undefined, 'cookie, accept-encoding'],
    [undefined, 'cookie, accept-encoding'],
  ]);
  expect(new Set([brotli, gzipped, plain].map(({ headers }) => headers.etag)).size).toBe(1);
});

it('304 without a body for a reader who has it', async () => {
  const read = await openServer();
  const { etag } = (await read()).headers;
  const again = await read({ 'if-none-match': `"other", ${etag}`, 'accept-encoding': 'br' });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  expect((await read({ 'if-none-match': '"other"' })).statusCode).toBe(200);
});
