import { createRequire } from 'node:module';
import { isIP, type Socket } from 'node:net';
import type { Egress } from './egress.ts';

const require = createRequire(import.meta.url);

/** `egress_away`: our own proxy or address is away, so no host was dialled. */
export type ProxyFailure = 'refused' | 'connect_timeout' | 'lost' | 'egress_away';

interface ProxyCall {
  /** Connected to the proxy. */
  readonly socket: Socket;
  readonly egress: Extract<Egress, { kind: 'socks5' }>;
  /** An address that the dial guard allowed; never a name, which the proxy would resolve by itself. */
  readonly ip: string;
  readonly port: number;
  onFailed(failure: ProxyFailure): void;
}

/** Asks a SOCKS5 proxy (RFC 1928) for a connection to an address. */
export function askProxy({ socket, egress, ip, port, onFailed }: ProxyCall, onConnected: () => void): void {
  if (isIP(ip) === 0) throw new RangeError('A proxy is given an address, never a name.');
  // Loaded only where a proxy is configured.
  const { SocksClient } = require('socks') as typeof import('socks');
  const client = new SocksClient({
    proxy: {
      host: egress.host,
      port: egress.port,
      type: 5,
      ...(egress.username !== undefined && { userId: egress.username }),
      ...(egress.password !== undefined && { password: egress.password }),
    },
    command: 'connect',
    destination: { host: ip, port },
    // The dialler's own time limit is shorter and destroys the socket.
    timeout: 120_000,
  });
  client.once('established', onConnected);
  client.once('error', ({ message }) => onFailed(failureOf(message)));
  client.connect(socket);
}

/** Messages of the library if the server is no SOCKS5 proxy or does not let us in. */
const proxyRefusesUs = /initial handshake|Authentication failed/;

/** The library names the proxy's answer in its message, such as `Socks5 proxy rejected connection - ConnectionRefused`. */
function failureOf(message: string): ProxyFailure {
  if (proxyRefusesUs.test(message)) return 'egress_away';
  if (message.endsWith('ConnectionRefused') || message.endsWith('Unreachable')) return 'refused';
  return message.endsWith('TTLExpired') || message.endsWith('timed out') ? 'connect_timeout' : 'lost';
}
