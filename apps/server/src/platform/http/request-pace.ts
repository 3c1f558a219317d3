import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Schedule } from '../clock.ts';
import { AppError } from '../errors/index.ts';
import { sendRefusal } from './error-handler.ts';

/** What must arrive of a body in `checkEveryMs`, unless it ends: about 2 kB/s, slower than any line in use. */
const bytesMin = 64 * 1024;
const checkEveryMs = 30_000;

/**
 * Refuses bodies that trickle in, so that no client keeps a connection, an upload slot and a half-written file for as
 * long as it likes. Time in which we do not read does not count.
 */
export function watchRequestPace(app: FastifyInstance, schedule: Schedule): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) watch(request, reply, schedule);
  });
}

export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

function watch(request: FastifyRequest, reply: FastifyReply, schedule: Schedule): void {
  const { raw } = request;
  let bytesBefore = raw.socket.bytesRead;
  let cancel = schedule(checkPace, checkEveryMs);
  raw.once('end', () => cancel());
  raw.once('close', () => cancel());

  function checkPace(): void {
    const bytesArrived = raw.socket.bytesRead - bytesBefore;
    const waitsForUs = raw.readableLength > 0;
    if (!waitsForUs && bytesArrived < bytesMin) {
      refuse(request, reply);
      return;
    }
    bytesBefore = raw.socket.bytesRead;
    cancel = schedule(checkPace, checkEveryMs);
  }
}

/**
 * Answers instead of the handler that still reads the body; its read fails after the answer is sent. After an earlier
 * answer, nobody reads the body any more, so the connection just ends.
 */
function refuse(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) {
    request.raw.destroy();
    return;
  }
  reply.raw.once('finish', () => request.raw.destroy());
  sendRefusal(new AppError('request_too_slow'), request, reply);
}
