import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** `/metrics` for Prometheus, on a port of its own so that it is never reachable where customers are. */
export async function serveMetrics(options: {
  registry: Pick<Registry, 'metrics' | 'contentType'>;
  host: string;
  port: number;
}): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    // A number that cannot be read, for example from the database, must not end the process.
    const text = await options.registry.metrics().catch(() => null);
    if (text === null) response.writeHead(500).end();
    else response.writeHead(200, { 'content-type': options.registry.contentType }).end(text);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
