import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/index.ts';

/** The parser takes what it gets in one turn of the event loop. For 64 kB of parts without contents that was a fifth of a second. */
const sliceBytes = 4_096;
/** The most turns of the event loop that the parser may need after the last byte. It needs one or two. */
const turnsAfterEndMax = 20;

/**
 * The parts of a multipart request, one after the other. Refuses a broken or truncated form that the parser would accept.
 */
export async function* readForm(request: FastifyRequest): AsyncGenerator<Multipart> {
  feedInSlices(request.raw);
  const parts = request.parts()[Symbol.asyncIterator]();
  const allRead = once(request.raw, 'end');
  // The parts report a broken connection.
  allRead.catch(() => undefined);
  for (;;) {
    const part = await Promise.race([parts.next(), silenceAfter(allRead)]).catch((error) => {
      throw brokenForm(error);
    });
    if (part.done) return;
    yield part.value;
  }
}

/** The plugin pipes the request into its parser itself, and offers no other way in. */
function feedInSlices(raw: IncomingMessage): void {
  const { pipe } = raw;
  raw.pipe = (parser) => {
    raw.pipe = pipe;
    const slices = new Slices();
    // Not destroyed with the parser, because a broken form is answered. The plugin hears when the request breaks off.
    pipe.call(raw, slices);
    pipeline(slices, parser, heardByPlugin);
    return parser;
  };
}

/** The errors of the parser. */
const heardByPlugin = () => undefined;

class Slices extends Transform {
  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pushSlices(piece).then(() => done(), done);
  }

  async #pushSlices(piece: Buffer): Promise<void> {
    for (let start = 0; start < piece.length; start += sliceBytes) {
      this.push(piece.subarray(start, start + sliceBytes));
      await setImmediate();
    }
  }
}

/** Keeps the parser's errors that have a status, such as too many files. */
export function brokenForm(error: unknown): unknown {
  const hasStatus = typeof (error as { statusCode?: unknown }).statusCode === 'number';
  return hasStatus ? error : new AppError('broken_form', {}, { cause: error });
}

/**
 * Rejects when every byte was read and the parser is still waiting. A part whose headers do not end, such as
 * `--x\r\nA: b\r\n\r\n--x--`, makes it wait forever.
 */
async function silenceAfter(allRead: Promise<unknown>): Promise<never> {
  await allRead;
  for (let turn = 0; turn < turnsAfterEndMax; turn += 1) await setImmediate();
  throw new Error('The form has a part without an end.');
}
