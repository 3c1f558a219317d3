import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Relay {
  readonly port: number;
  /** New connections go to this port, and all open ones are cut. */
  leadTo(port: number): void;
  /** Cuts all open connections. */
  cut(): void;
  /** Holds back every byte, also of new connections, like a network that loses all packets. Ends with the returned call. */
  silence(): () => void;
  /** Lets every piece of data wait for this long on its way. */
  delayBy(ms: number): void;
  close(): Promise<void>;
}

/** The database's address that the product knows, as a floating address or a load balancer would be. */
export async function startRelay(firstPort: number): Promise<Relay> {
  let target = firstPort;
  let delayMs = 0;
  let quiet = Promise.resolve();
  const open = new Set<Socket>();

  /** Like a pipe, but each piece may wait, and none overtakes another. */
  const forward = async (from: Socket, to: Socket): Promise<void> => {
    let last = Promise.resolve();
    from.on('data', (bytes) => {
      const due = delayMs > 0 ? pause(delayMs) : undefined;
      last = Promise.all([last, due, quiet]).then(async () => {
        if (to.destroyed || to.write(bytes)) return;
        from.pause();
        await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
        from.resume();
      });
    });
    await new Promise((resolve) => from.once('close', resolve));
    await last;
    to.destroy();
  };

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    void forward(client, upstream);
    void forward(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut,
    leadTo: (port) => {
      target = port;
      cut();
    },
    silence: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      quiet = promise;
      return resolve;
    },
    delayBy: (ms) => {
      delayMs = ms;
    },
    close: async () => {
      server.close();
      cut();
    },
  };
}
