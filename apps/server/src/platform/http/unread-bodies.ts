import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Schedule } from '../clock.ts';
import { callerNetwork } from './caller-network.ts';

/** As much as the largest file. */
const bytesPerMinute = 256 * 1024 * 1024;
const minuteMs = 60_000;
const checkEveryMs = 50;

/**
 * What is still on its way when its call is answered is read and dropped, so that no client loses the answer while it sends. That takes
 * processor time too, so a network may send only so much of it in a minute; then its connections end with their answers. Call the
 * result for each request, before it is answered.
 */
export function limitUnreadBodies(
  schedule: Schedule,
  bytesMax = bytesPerMinute,
): (request: Pick<FastifyRequest, 'raw' | 'ip'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const unread = new Map<string, number>();
  const isTooMuch = (network: string, bytes: number): boolean => {
    if (unread.size === 0) schedule(() => unread.clear(), minuteMs);
    const count = (unread.get(network) ?? 0) + bytes;
    unread.set(network, count);
    return count > bytesMax;
  };

  return ({ raw, ip }, reply) => {
    reply.raw.once('finish', () => {
      // Undefined for calls that tests inject, which have no connection.
      if (raw.complete !== false) return;
      const { socket } = raw;
      const network = callerNetwork(ip);
      let bytesBefore = socket.bytesRead;
      let cancel = (): void => undefined;
      const count = (): boolean => {
        const bytes = socket.bytesRead - bytesBefore;
        bytesBefore += bytes;
        return isTooMuch(network, bytes);
      };
      const check = (): void => {
        if (count()) socket.destroy();
        else if (!raw.complete) cancel = schedule(check, checkEveryMs);
      };
      raw.once('close', () => {
        cancel();
        count();
      });
      check();
    });
  };
}
