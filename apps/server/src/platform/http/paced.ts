import { Readable } from 'node:stream';
import type { Schedule } from '../clock.ts';

/** The size of the pieces in which files are sent, and the least that a client must take in `stallMs`. */
const pieceBytes = 64 * 1024;
/** With the size of a piece, about 2 kB/s: slower than any line in use, faster than a client that means harm. */
const stallMs = 30_000;

interface Receiver {
  /** Called when the client stops reading. */
  readonly cut: () => void;
  readonly schedule: Schedule;
}

export interface PacedFile {
  readonly stream: Readable;
  /** Stops the watch and the stream. Call it when the answer ends, however it ends. */
  readonly end: () => void;
}

/**
 * A file in pieces that are made only as the client takes them. A client that does not take the next piece in time is cut
 * off, so that it cannot keep memory and a download slot for ever.
 */
export function pacedFile(contents: string | AsyncIterable<Buffer>, { cut, schedule }: Receiver): PacedFile {
  let isOver = false;
  let cancel = (): void => undefined;
  const end = () => {
    isOver = true;
    cancel();
    // Without this, an answer to HEAD would read the whole file for nothing.
    stream.destroy();
    // A client that left early has read nothing of the contents, so that nothing else closes their file.
    if (contents instanceof Readable) contents.destroy();
  };
  const watch = () => {
    cancel();
    if (!isOver) cancel = schedule(cut, stallMs);
  };

  async function* pieces(): AsyncGenerator<Buffer> {
    const pages = typeof contents === 'string' ? [Buffer.from(contents)] : contents;
    for await (const page of pages) {
      for (let start = 0; start < page.length; start += pieceBytes) {
        watch();
        yield page.subarray(start, start + pieceBytes);
        // From here on the client waits for us.
        cancel();
      }
    }
    watch();
  }
  const stream = Readable.from(pieces(), { objectMode: false, highWaterMark: pieceBytes });
  return { stream, end };
}
