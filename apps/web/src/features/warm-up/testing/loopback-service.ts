import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '@assay/client';
import { onTestFinished } from 'vitest';

interface Script {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

interface LoopbackService {
  readonly api: Client;
  /** What it was asked, as `METHOD address body`. */
  readonly asked: readonly string[];
}

/** A warm-up service on loopback that answers as the test says, one answer after the other. */
export async function startLoopbackService(...script: Script[]): Promise<LoopbackService> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push([request.method, request.url, await text(request)].filter(Boolean).join(' '));
    const { status, type = 'application/json', body = '' } = script.shift() ?? { status: 500 };
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { api: clientOf(`http://127.0.0.1:${port}`), asked };
}

/** A service that cannot be reached. */
export const unreachableService = (): Client => clientOf('http://127.0.0.1:1');

/** Configured as in the web app: screens decide what is retried. */
const clientOf = (baseUrl: string): Client => createClient({ baseUrl, retries: 0 });
