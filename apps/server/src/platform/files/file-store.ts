import type { Readable } from 'node:stream';

/** Where uploaded files wait: a folder on one machine, an S3-compatible store behind many. */
export interface FileStore {
  /** Writes a stream as it comes; a file cut short is not there afterwards. Answers its size. */
  write(key: string, bytes: AsyncIterable<Buffer>): Promise<{ byteCount: number }>;
  /** A file that is not there fails the stream with ENOENT, whatever the store. */
  read(key: string): Readable;
  /** No complaint when it is gone already. */
  remove(key: string): Promise<void>;
  /** Removes every file whose key begins with this one and a slash; one that is partly written is not finished. */
  removeAll(folderKey: string): Promise<void>;
  /** The keys of all whole files under this one, in no particular order. */
  list(folderKey: string): AsyncIterable<string>;
}

/** Keys are ours and never a customer's words; this holds even if that is ever forgotten. */
export function requireFileKey(key: string): string {
  if (!/^[\w-]+(\/[\w-]+)*$/.test(key)) throw new Error(`Not a file key: ${key}`);
  return key;
}
