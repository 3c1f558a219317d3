import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { HostPlan } from '../zone/plan.ts';
import { Host, type World } from './host.ts';
import { Session } from './session.ts';

export interface SmtpServers {
  port: number;
  close(): Promise<void>;
}

/** The loopback network of the world; every address of 127.0.0.0/8 is there without set-up on Linux. */
export const network = '127.77.0.0/16';

/** The address of the host with this index in the zone. It skips .0.0, the network's own address. */
export function addressAt(index: number): string {
  const number = index + 1;
  if (number > 0xffff) throw new Error('A world has room for 65,535 hosts');
  return `127.77.${number >> 8}.${number & 0xff}`;
}

const attemptsMax = 20;

/** Serves every host of the zone at its own address, all on one port. */
export async function startSmtpServers(world: World, port: number): Promise<SmtpServers> {
  const sockets = new Set<Socket>();
  for (let attempt = 1; ; attempt += 1) {
    const servers: Server[] = [];
    try {
      const bound = await listenAll(world, port, servers, sockets);
      return { port: bound, close: () => closeAll(servers, sockets) };
    } catch (error) {
      await closeAll(servers, sockets);
      // The port that the first host was given may be taken at the address of another.
      if (port !== 0 || codeOf(error) !== 'EADDRINUSE' || attempt === attemptsMax) throw explain(error);
    }
  }
}

async function listenAll(
  world: World,
  port: number,
  servers: Server[],
  sockets: Set<Socket>,
): Promise<number> {
  const serve = async (plan: HostPlan, address: string, atPort: number): Promise<number> => {
    const host = new Host(plan, world);
    const server = createServer({ noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      new Session(socket, host);
    });
    server.listen({ host: address, port: atPort, backlog: 4096 });
    await once(server, 'listening');
    // A connection that could not be accepted, for example because no file is left, ends nothing else.
    server.on('error', () => undefined);
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  const open = [...world.zone.hosts.values()].map((plan, index) => ({ plan, address: addressAt(index) }));
  const [first, ...others] = open.filter(({ plan }) => !plan.isClosed && plan.addresses.includes('self'));
  if (!first) return port;
  // The first host is given a free port, and the others follow it there.
  const bound = await serve(first.plan, first.address, port);
  const outcomes = await Promise.allSettled(others.map(({ plan, address }) => serve(plan, address, bound)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return bound;
}

async function closeAll(servers: Server[], sockets: Set<Socket>): Promise<void> {
  const closed = servers.map((server) => once(server, 'close'));
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function explain(error: unknown): unknown {
  if (codeOf(error) !== 'EADDRNOTAVAIL') return error;
  const problem = `The mail world needs the loopback addresses ${network}, which this system does not have.`;
  const remedy =
    'Linux has them by itself; on macOS each must be added, as in `sudo ifconfig lo0 alias 127.77.0.1`.';
  return new Error(`${problem} ${remedy}`, { cause: error });
}
