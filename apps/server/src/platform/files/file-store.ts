import type { Readable } from 'node:stream';

/** Where uploaded files wait: a folder on one machine, an S3-compatible store behind many. */
export interface FileStore {
  /** Writes a stream as it comes; a file cut short is not there afterwards. Answers its size. */
  write(key: string, bytes: AsyncIterable<Buffer>): Promise<{ byteCount: number }>;
  read(key: string): Readable;
  /** No complaint when it is gone already. */
  remove(key: string): Promise<void>;
  /** Removes every file whose key begins with this one and a slash. */
  removeAll(folderKey: string): Promise<void>;
}
