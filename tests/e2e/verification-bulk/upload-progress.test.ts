import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage } from '../support/visitor.ts';

const source = new URL('../../../packages/client/src/upload.ts', import.meta.url);

let server: Server;
let page: Page;
/** How the server handles an upload. */
let take: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  const script = stripTypeScriptTypes(await readFile(source, 'utf8'));
  server = createServer((request, response) => {
    if (request.url === '/upload.js') response.setHeader('content-type', 'text/javascript').end(script);
    else if (request.method === 'POST') take(request, response);
    else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  page = await openPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

/** Sends this many bytes from the page; returns the answer and the reported progress. */
const upload = (byteCount: number, extra = '') =>
  page.evaluate(`(async () => {
    const { fetchTellingProgress } = await import('/upload.js');
    const told = (globalThis.told = []);
    const send = fetchTellingProgress(fetch, (progress) => told.push(progress));
    const body = new FormData();
    body.append('list_raw', new Blob([new Uint8Array(${byteCount})]), 'list.csv');
    const controller = (globalThis.controller = new AbortController());
    ${extra}
    try {
      const answer = await send('/', { method: 'POST', headers: { 'x-api-key': 'key' }, body, signal: controller.signal });
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text(), told };
    } catch (error) {
      return { name: error.name, told };
    }
  })()`) as Promise<Record<string, unknown> & { told: { sentBytes: number; totalBytes: number }[] }>;

const megabytes = 32;

describe('an upload from a browser', () => {
  it('reports its progress, and answers as fetch would', async () => {
    take = async (request, response) => {
      // Reads only a part until the page has reported a part as sent.
      request.pause();
      await page.waitForFunction(
        'globalThis.told?.some((p) => p.sentBytes > 0 && p.sentBytes < p.totalBytes)',
      );
      request.resume();
      request.on('end', () => {
        response.writeHead(422, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ key: request.headers['x-api-key'] }));
      });
    };
    const answer = await upload(megabytes * 2 ** 20);

    expect(answer).toMatchObject({ status: 422, type: 'application/json', text: '{"key":"key"}' });
    const sent = answer.told.map(({ sentBytes }) => sentBytes);
    expect(sent.toSorted((left, right) => left - right)).toEqual(sent);
    expect(sent.at(-1)).toBe(answer.told[0]?.totalBytes);
    expect(sent.at(-1)).toBeGreaterThan(megabytes * 2 ** 20);
  });

  it('has an answer without content', async () => {
    take = (request, response) => request.resume().on('end', () => response.writeHead(204).end());

    expect(await upload(10)).toMatchObject({ status: 204, text: '' });
  });

  it('rejects as fetch does when the line is cut', async () => {
    take = (request) => request.socket.destroy();

    expect(await upload(10)).toMatchObject({ name: 'TypeError' });
  });

  it('is stopped by its signal, on the way and before', async () => {
    const cut = new Promise<void>((resolve) => {
      take = (request) => {
        request.on('error', () => {}).on('close', resolve);
        request.once('data', () => void page.evaluate('controller.abort()'));
      };
    });

    expect(await upload(megabytes * 2 ** 20)).toMatchObject({ name: 'AbortError' });
    await cut;
    expect(await upload(10, 'controller.abort();')).toMatchObject({ name: 'AbortError' });
  });
});
