import { createConnection, isIPv6, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { DialGuard } from '../net/dial-guard.ts';
import type { Egress } from './egress.ts';
import { askProxy, type ProxyFailure } from './socks-proxy.ts';

export type DialFailure = ProxyFailure | 'forbidden';

export interface Dialling {
  ips: readonly string[];
  /** The index to begin with; the others follow in order. */
  firstIp: number;
  guard: DialGuard;
  egress: Egress;
  clock: Clock;
  timeoutMs: number;
  onConnected(socket: Socket, ip: string): void;
  /** Bytes from the host. The buffer is reused after the call. */
  onBytes(bytes: Buffer): void;
  onFailed(failure: DialFailure, ip: string): void;
}

const readBytesMax = 16_384;

/**
 * Dials the addresses of a host one after the other until one answers. Each is checked right before it is dialled. Names
 * are never resolved again, and a proxy is given the checked address. Returns a function that stops dialling.
 */
export function dialHost(dialling: Dialling): () => void {
  const { ips, firstIp, guard, egress, clock, timeoutMs } = dialling;
  let stop = () => {};
  let tried = 0;
  next('forbidden', '');
  return () => stop();

  function next(lastFailure: DialFailure, lastIp: string): void {
    let failure = lastFailure;
    while (tried < ips.length) {
      const ip = ips[(firstIp + tried) % ips.length] as string;
      tried += 1;
      const permission = guard.check(ip);
      if (permission.allowed && canReach(egress, ip)) {
        dial(ip, permission.port);
        return;
      }
      // The address is allowed, but this egress cannot reach its family.
      if (permission.allowed && failure === 'forbidden') failure = 'refused';
    }
    dialling.onFailed(failure, lastIp);
  }

  function dial(ip: string, port: number): void {
    const socket =
      egress.kind === 'socks5'
        ? createConnection({ host: egress.host, port: egress.port, noDelay: true })
        : connectFrom(egress.address, ip, port);
    let isOver = false;
    const stopTimer = clock.after(timeoutMs, () => failed('connect_timeout'));
    stop = () => {
      isOver = true;
      stopTimer();
      socket.removeAllListeners();
      // A late error without a listener would end the process.
      socket.on('error', () => {});
      socket.destroy();
    };
    const failed = (failure: DialFailure) => {
      // The proxy client may still report something.
      if (isOver) return;
      // A proxy that sent no byte has not dialled the host.
      const isProxySilent = egress.kind === 'socks5' && socket.bytesRead === 0;
      stop();
      if (isProxySilent || failure === 'egress_away') dialling.onFailed('egress_away', '');
      else next(failure, ip);
    };
    const connected = () => {
      isOver = true;
      stopTimer();
      stop = () => {};
      socket.removeAllListeners('error');
      dialling.onConnected(socket, ip);
    };
    socket.once('error', ({ code }: NodeJS.ErrnoException) => failed(failureOf(code, egress)));
    socket.once('connect', () => {
      if (egress.kind === 'local') return connected();
      askProxy({ socket, egress, ip, port, onFailed: failed }, () => {
        connected();
        socket.on('data', dialling.onBytes).resume();
      });
    });
  }

  function connectFrom(localAddress: string | undefined, host: string, port: number): Socket {
    // Reading into our own buffer is faster than the stream's events.
    const buffer = Buffer.allocUnsafeSlow(readBytesMax);
    const callback = (byteCount: number): boolean => {
      dialling.onBytes(buffer.subarray(0, byteCount));
      return true;
    };
    return createConnection({
      host,
      port,
      noDelay: true,
      onread: { buffer, callback },
      ...(localAddress !== undefined && { localAddress }),
    });
  }
}

function failureOf(code: string | undefined, egress: Egress): DialFailure {
  if (code === 'ETIMEDOUT') return 'connect_timeout';
  if (code === 'ECONNRESET') return 'lost';
  // The machine has lost the address, or has no port or file descriptor left.
  const hasLostAddress = code === 'EADDRNOTAVAIL' && egress.kind === 'local' && egress.address !== undefined;
  return hasLostAddress || code === 'EMFILE' || code === 'ENFILE' ? 'egress_away' : 'refused';
}

/** From an IPv4 address only IPv4 hosts can be reached, from an IPv6 address only IPv6 hosts. */
const canReach = (egress: Egress, ip: string): boolean =>
  egress.kind !== 'local' || egress.address === undefined || isIPv6(egress.address) === isIPv6(ip);
