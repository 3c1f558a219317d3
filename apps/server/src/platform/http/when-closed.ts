import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { AppError } from '../errors/index.ts';

/**
 * Runs a task when the response closes: it was sent, or the client is gone. Also runs it when the client left before this
 * call, because 'close' fires only once.
 */
export function whenClosed(response: ServerResponse, task: () => void): void {
  if (response.closed) task();
  else response.once('close', task);
}

/** Aborts when the client disconnects before the answer. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const text = 'The connection ended before the answer.';
  whenClosed(raw, () => gone.abort(new AppError('invalid_request', {}, { text })));
  return gone.signal;
}
