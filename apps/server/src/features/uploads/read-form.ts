import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';

/** How long the parser may be silent after the last byte, in turns of the event loop. It needs one or two. */
const turnsAfterEndMax = 20;

/**
 * The parts of a multipart request, one after the other. A form that is broken or cut short is refused, whatever the
 * parser makes of it.
 */
export async function* readForm(request: FastifyRequest): AsyncGenerator<Multipart> {
  const parts = request.parts()[Symbol.asyncIterator]();
  const allRead = once(request.raw, 'end');
  // A connection that breaks is told by the parts.
  allRead.catch(() => undefined);
  for (;;) {
    const part = await Promise.race([parts.next(), silenceAfter(allRead)]).catch((error) => {
      throw brokenForm(error);
    });
    if (part.done) return;
    yield part.value;
  }
}

/** Refusals of the parser that have a status of their own, such as one file too many, stay as they are. */
export function brokenForm(error: unknown): unknown {
  const hasStatus = typeof (error as { statusCode?: unknown }).statusCode === 'number';
  return hasStatus ? error : new AppError('broken_form', {}, { cause: error });
}

/**
 * Rejects when every byte was read and the parser still says nothing. A part whose headers do not end, such as
 * `--x\r\nA: b\r\n\r\n--x--`, makes it wait for ever.
 */
async function silenceAfter(allRead: Promise<unknown>): Promise<never> {
  await allRead;
  for (let turn = 0; turn < turnsAfterEndMax; turn += 1) await setImmediate();
  throw new Error('The form has a part without an end.');
}
