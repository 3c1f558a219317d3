import { readFileSync } from 'node:fs';
import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import type { Logger } from '../logging/index.ts';
import { callerNetwork } from './caller-network.ts';

export interface ConnectionLimits {
  /** Open connections of this process. */
  readonly connectionsMax: number;
  /** Of them, those of one network address. Trusted proxies carry the connections of many and have no such limit. */
  readonly connectionsPerAddress: number;
}

/** Files that the process needs beside its connections: database, uploads, exports, mail, the program itself. */
const filesKept = 256;
/** The part of the file limit that is kept for them if that is more. */
const keptPart = 0.2;
/** The limit of systems that do not tell theirs. */
const fileLimitUnknown = 1_024;
const shareOfOneAddress = 0.1;
/** An office behind one address needs about this many. */
const shareMin = 128;
/** When so many are closed at once, the event loop is busy for about 50 ms. */
const shareMax = 512;
const warnEveryMs = 60_000;

/** Limits that leave enough files for everything else. */
export function limitsBelow(fileLimit: number): ConnectionLimits {
  const kept = Math.max(filesKept, Math.ceil(fileLimit * keptPart));
  const connectionsMax = Math.max(shareMin, fileLimit - kept);
  const share = Math.min(shareMax, Math.max(shareMin, Math.floor(connectionsMax * shareOfOneAddress)));
  return { connectionsMax, connectionsPerAddress: share };
}

/** How many files this process may open. Node raises the soft limit to the hard one when it starts. */
export function readFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? fileLimitUnknown);
  } catch {
    return fileLimitUnknown;
  }
}

/** Closes connections beyond the limits at once, before a byte of them is read. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  { trustedProxies, logger }: { readonly trustedProxies: readonly string[]; readonly logger: Logger },
): void {
  const proxies = blockListOf(trustedProxies);
  const openOf = new Map<string, number>();
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (problem: string): void => {
    if (performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    logger.warn({ problem, ...limits }, 'closing connections beyond the limit');
  };

  server.maxConnections = limits.connectionsMax;
  server.on('drop', () => warn('connections of all'));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Already gone.
    if (remoteAddress === undefined) return;
    if (proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return;
    const network = callerNetwork(remoteAddress);
    const open = (openOf.get(network) ?? 0) + 1;
    openOf.set(network, open);
    socket.once('close', () => {
      const left = (openOf.get(network) ?? 1) - 1;
      if (left === 0) openOf.delete(network);
      else openOf.set(network, left);
    });
    if (open <= limits.connectionsPerAddress) return;
    warn('connections of one address');
    socket.destroy();
  });
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}
