import { createHash, randomUUID } from 'node:crypto';
import { StoreRefusal } from './errors.ts';

/** As S3 has it, but for the last part of an upload. */
const partBytesMin = 5 * 1024 * 1024;

interface OpenUpload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

export interface NamedPart {
  readonly number: number;
  readonly etag: string;
}

/** One bucket, in memory: its objects, and the uploads that are not completed yet. */
export class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, OpenUpload>();

  find(key: string): Buffer {
    const object = this.objects.get(key);
    if (!object) throw new StoreRefusal('NoSuchKey', 'The specified key does not exist.');
    return object;
  }

  openUpload(key: string): string {
    const id = randomUUID();
    this.uploads.set(id, { key, parts: new Map() });
    return id;
  }

  /** Answers the part's ETag. */
  putPart(upload: { key: string; id: string }, number: number, bytes: Buffer): string {
    this.#find(upload).parts.set(number, bytes);
    return etagOf(bytes);
  }

  complete(upload: { key: string; id: string }, named: readonly NamedPart[]): void {
    const { parts } = this.#find(upload);
    const pieces = named.map(({ number, etag }, index) => {
      const piece = parts.get(number);
      if (!piece || etagOf(piece) !== etag)
        throw new StoreRefusal('InvalidPart', `Part ${number} is not here.`);
      if (number <= (named[index - 1]?.number ?? 0)) {
        throw new StoreRefusal('InvalidPartOrder', 'The parts are not in ascending order.');
      }
      if (piece.length < partBytesMin && index < named.length - 1) {
        throw new StoreRefusal('EntityTooSmall', `Part ${number} is smaller than a part may be.`);
      }
      return piece;
    });
    this.objects.set(upload.key, Buffer.concat(pieces));
    this.uploads.delete(upload.id);
  }

  abort(upload: { key: string; id: string }): void {
    this.#find(upload);
    this.uploads.delete(upload.id);
  }

  #find({ key, id }: { key: string; id: string }): OpenUpload {
    const upload = this.uploads.get(id);
    if (upload?.key !== key) throw new StoreRefusal('NoSuchUpload', 'The specified upload does not exist.');
    return upload;
  }
}

export const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
