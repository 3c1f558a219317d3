import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file inside of a ZIP archive. */
export interface ZipPart {
  readonly name: string;
  readonly contents: string | AsyncIterable<Buffer>;
}

/**
 * A ZIP archive, written while its parts arrive, so that its size does not matter. The next part is asked for when the one
 * before is written. A part that fails makes the archive fail: it never looks complete.
 */
export async function* writeZip(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const source = parts[Symbol.asyncIterator]();
  // The output fails with the same error, which the reader sees.
  addParts(zip, source).catch((error) => (zip.outputStream as Readable).destroy(error));
  try {
    for await (const piece of zip.outputStream as unknown as AsyncIterable<Buffer>) yield piece;
  } finally {
    // Not awaited: a reader that goes away must not wait for contents that are on their way.
    source.return?.().catch(() => undefined);
  }
}

async function addParts(zip: ZipFile, source: AsyncIterator<ZipPart>): Promise<void> {
  for (;;) {
    const { done, value: part } = await source.next();
    if (done) break;
    if (typeof part.contents === 'string') {
      zip.addBuffer(Buffer.from(part.contents), part.name);
      continue;
    }
    const contents = Readable.from(part.contents);
    zip.addReadStream(contents, part.name);
    await once(contents, 'close');
    if (contents.errored) throw contents.errored;
  }
  zip.end();
}
