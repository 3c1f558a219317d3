import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { DialGuard } from '../net/dial-guard.ts';

export type DialFailure = 'forbidden' | 'refused' | 'connect_timeout' | 'lost';

export interface Dialling {
  ips: readonly string[];
  /** Where in the list to begin; the rest follow in their order. */
  firstIp: number;
  guard: DialGuard;
  clock: Clock;
  timeoutMs: number;
  onConnected(socket: Socket, ip: string): void;
  /** What the host says, in bytes that are good only during the call. */
  onBytes(bytes: Buffer): void;
  onFailed(failure: DialFailure, ip: string): void;
}

const readBytesMax = 16_384;

/**
 * Dials the addresses of a host one after the other until one answers. Each is checked at the moment of dialling, and
 * what is dialled is what was checked: a name is never resolved again on the way. The answer stops it.
 */
export function dialHost(dialling: Dialling): () => void {
  const { ips, firstIp, guard, clock, timeoutMs } = dialling;
  // Read straight into a buffer of our own: the stream's way to its readers is longer than that of a reply through us.
  const buffer = Buffer.allocUnsafeSlow(readBytesMax);
  const hear = (byteCount: number): boolean => {
    dialling.onBytes(buffer.subarray(0, byteCount));
    return true;
  };
  let stop = () => {};
  let tried = 0;
  next('forbidden', '');
  return () => stop();

  function next(lastFailure: DialFailure, lastIp: string): void {
    while (tried < ips.length) {
      const ip = ips[(firstIp + tried) % ips.length] as string;
      tried += 1;
      const permission = guard.check(ip);
      if (permission.allowed) {
        dial(ip, permission.port);
        return;
      }
    }
    dialling.onFailed(lastFailure, lastIp);
  }

  function dial(ip: string, port: number): void {
    const socket = createConnection({ host: ip, port, noDelay: true, onread: { buffer, callback: hear } });
    const stopTimer = clock.after(timeoutMs, () => failed('connect_timeout'));
    stop = () => {
      stopTimer();
      socket.removeAllListeners();
      // An error that is still on its way must find someone, or it ends the process.
      socket.on('error', () => {});
      socket.destroy();
    };
    const failed = (failure: DialFailure) => {
      stop();
      next(failure, ip);
    };
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      failed(code === 'ETIMEDOUT' ? 'connect_timeout' : code === 'ECONNRESET' ? 'lost' : 'refused');
    });
    socket.once('connect', () => {
      stopTimer();
      stop = () => {};
      socket.removeAllListeners('error');
      dialling.onConnected(socket, ip);
    });
  }
}
