import { createReadStream } from 'node:fs';

/** Opens the file when somebody reads, who then hears that it is not there. */
export async function* fileBytes(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}
