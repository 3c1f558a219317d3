import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupDamaged } from './archive.ts';

/** The key does not open the backup, or the file is none. */
export class BackupLocked extends Error {
  override readonly name = 'BackupLocked';
}

/** Late, because it prepares its curves when it is loaded, and most processes make no backup. */
const loadAge = () => import('age-encryption');

/**
 * Keys are those of age (https://age-encryption.org): a machine that has only the recipient makes backups that it cannot
 * read itself.
 */
export const isRecipient = (key: string): boolean => key.startsWith('age1');
export const newBackupKey = async (): Promise<string> => (await loadAge()).generateX25519Identity();

/** Fast, and still a quarter of the size for our rows. */
const compressionLevel = 3;

/** Compresses and encrypts, from when it is read on. `key` is an age recipient or identity. */
export async function* seal(key: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { Encrypter, identityToRecipient } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.addRecipient(isRecipient(key) ? key : await identityToRecipient(key));
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: compressionLevel },
  });
  const compressed = piped(Readable.from(bytes, { objectMode: false }), compress);
  const sealed = await encrypter.encrypt(Readable.toWeb(compressed) as ReadableStream<Uint8Array>);
  yield* Readable.fromWeb(sealed as import('node:stream/web').ReadableStream<Uint8Array>);
}

/** The plain bytes. Fails with `BackupLocked` or, when bytes are missing or different, `BackupDamaged`. */
export async function* unseal(identity: string, bytes: Readable): AsyncGenerator<Buffer> {
  // At once: a file that is missing says so while the library loads, and somebody must listen.
  const source = Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const opened = await decrypter.decrypt(source).catch((error: NodeJS.ErrnoException) => {
    bytes.destroy();
    throw error.code ? error : explained(error);
  });
  const compressed = Readable.fromWeb(opened as import('node:stream/web').ReadableStream<Uint8Array>);
  try {
    yield* piped(compressed, createZstdDecompress());
  } catch (error) {
    // Errors of the disk or of the store have their own codes; those of zstd begin with its name.
    const { code } = error as NodeJS.ErrnoException;
    throw code && !code.startsWith('ZSTD') && !code.startsWith('Z_') ? error : new BackupDamaged(error);
  } finally {
    bytes.destroy();
  }
}

const explained = (error: Error): Error =>
  /no identity matched/.test(error.message)
    ? new BackupLocked(
        'The key does not open this backup. Set ASSAY_BACKUP_KEY to the key that it was made with.',
        {
          cause: error,
        },
      )
    : new BackupLocked('This file is not a backup of Assay, or its beginning is damaged.', { cause: error });

/** An error of the source fails the reader of the result. */
function piped(source: Readable, into: Transform): Readable {
  pipeline(source, into, () => undefined);
  return into;
}
