import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Schedule } from '../clock.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import { callerNetwork } from './caller-network.ts';

/** As much as the largest file. */
const bytesPerMinute = 256 * 1024 * 1024;
const minuteMs = 60_000;
/**
 * Node reads up to 2 MB of each connection before it does anything else, which takes about 4 ms. So only a few connections are read at
 * a time, each for a moment, and then their network rests as long.
 */
const readAtOnce = 4;
const readMs = 20;

type Request = Pick<FastifyRequest, 'raw' | 'ip'>;

/**
 * What is still on its way when its call is answered is read and dropped, so that no client loses the answer while it sends. That takes
 * processor time too, so a network may send only so much of it in a minute; then its connections end with their answers. Call the
 * result for each request, before it is answered.
 */
export function limitUnreadBodies(
  schedule: Schedule,
  bytesMax = bytesPerMinute,
): (request: Request, reply: Pick<FastifyReply, 'raw'>) => void {
  const turns = new FairQueue({ placeCount: readAtOnce, restMsAfter: (ranMs) => ranMs });
  const unread = new Map<string, number>();
  const isTooMuch = (network: string, bytes: number): boolean => {
    if (unread.size === 0) schedule(() => unread.clear(), minuteMs);
    const count = (unread.get(network) ?? 0) + bytes;
    unread.set(network, count);
    return count > bytesMax;
  };

  async function drop({ raw, ip }: Request): Promise<void> {
    const { socket } = raw;
    const network = callerNetwork(ip);
    for (let bytes = 0; !isTooMuch(network, bytes); ) {
      if (raw.complete || socket.destroyed) return;
      socket.pause();
      bytes = await turns.run(network, () => readFor(readMs, raw, schedule));
    }
    socket.destroy();
  }

  return (request, reply) => {
    reply.raw.once('finish', () => {
      // Node begins to read the rest by itself after this, which would undo a pause. Calls that tests inject have no connection.
      if (request.raw.complete === false) setImmediate(() => void drop(request));
    });
  };
}

/** Reads until the body ends or the time is over. Answers how much of it came. */
function readFor(ms: number, raw: FastifyRequest['raw'], schedule: Schedule): Promise<number> {
  const { socket } = raw;
  const bytesBefore = socket.bytesRead;
  return new Promise((resolve) => {
    const end = (): void => {
      raw.off('close', end);
      cancel();
      resolve(socket.bytesRead - bytesBefore);
    };
    const cancel = schedule(end, ms);
    raw.once('close', end);
    socket.resume();
  });
}
