import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Collectors keep one or two. */
const connectionsMax = 64;

/** `/metrics` for Prometheus, on a port of its own so that it is never reachable where customers are. */
export async function serveMetrics(options: {
  registry: Pick<Registry, 'metrics' | 'contentType'>;
  host: string;
  port: number;
}): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    options.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': options.registry.contentType }).end(text),
      // A number that cannot be read, for example from the database, must not end the process.
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = connectionsMax;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // A connection that could not be accepted, for example because no file is left, ends nothing else.
  server.on('error', () => undefined);

  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
