import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** New connections go to this port, and all open ones are cut. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** The address that the product knows, as a floating address or a load balancer would be. */
export async function startRelay(firstPort: number): Promise<Relay> {
  let target = firstPort;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    leadTo: (port) => {
      target = port;
      cutAll();
    },
    close: async () => {
      server.close();
      cutAll();
    },
  };
}
