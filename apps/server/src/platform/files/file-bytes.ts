import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** Opens the file when somebody reads: before that, nobody would hear that it is not there, and the process would end. */
export const readFileBytes = (path: string): Readable => Readable.from(piecesOf(path), { objectMode: false });

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: 1 << 16 });
}

/** A stream that fails before somebody reads it would end the process. Whoever reads it later gets its error all the same. */
export function holdErrorOf(bytes: AsyncIterable<Buffer>): void {
  if (bytes instanceof Readable) bytes.on('error', () => undefined);
}
