import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { identityToRecipient } from 'age-encryption';
import { beforeAll, describe, expect, it } from 'vitest';
import { BackupDamaged, type EntryHead, type EntrySource, readArchive, writeArchive } from './archive.ts';
import { BackupLocked, newBackupKey, seal, unseal } from './seal.ts';

const origin = {
  version: '1.0.0',
  commit: 'abc',
  postgres: '18.1',
  takenAt: '2026-11-16T00:00:00.000Z',
  migrations: ['0001_users.sql'],
};
const rows = Buffer.alloc(300_000, 'jane@exists.test\t1\n');

async function* entries(): AsyncGenerator<EntrySource> {
  const table: EntryHead = { kind: 'table', name: 'public.users', columns: ['id'] };
  yield { head: table, bytes: Readable.from([rows, Buffer.alloc(0), rows]), rowCount: () => 2 };
  yield { head: { kind: 'table', name: 'public.empty' }, bytes: Readable.from([]), rowCount: () => 0 };
  yield { head: { kind: 'file', name: 'uploads/a/b' }, bytes: Readable.from([Buffer.from('x')]) };
}

/** What a reader gets from bytes, by entry. */
async function read(stream: AsyncIterable<Buffer>, rowCountOf = (_: string): number | null => null) {
  const found: Record<string, Buffer> = {};
  const manifest = await readArchive(stream, async ({ name }, bytes) => {
    found[name] = await buffer(Readable.from(bytes));
    return { rowCount: rowCountOf(name) };
  });
  return { found, manifest };
}

describe('a backup', () => {
  let key: string;
  let plain: Buffer;
  let sealed: Buffer;
  beforeAll(async () => {
    key = await newBackupKey();
    plain = await buffer(Readable.from(writeArchive(entries(), origin)));
    sealed = await buffer(await seal(key, Readable.from([plain])));
  });

  it('gives back every entry and a manifest of them, however its bytes are split', async () => {
    const pieces = Array.from({ length: Math.ceil(sealed.length / 777) }, (_, index) =>
      sealed.subarray(index * 777, (index + 1) * 777),
    );
    const { found, manifest } = await read(unseal(key, Readable.from(pieces)));

    expect(found['public.users']?.equals(Buffer.concat([rows, rows]))).toBe(true);
    expect(found['public.empty']).toHaveLength(0);
    expect(found['uploads/a/b']?.toString()).toBe('x');
    expect(manifest.origin).toEqual(origin);
    expect(manifest.entries.map(({ name, rowCount }) => [name, rowCount])).toEqual([
      ['public.users', 2],
      ['public.empty', 0],
      ['uploads/a/b', null],
    ]);
    expect(sealed.length).toBeLessThan(plain.length / 10);
  });

  it('can be made with the public half of a key, which does not open it', async () => {
    const recipient = await identityToRecipient(key);
    const made = await buffer(await seal(recipient, Readable.from([plain])));

    expect((await read(unseal(key, Readable.from([made])))).manifest.origin).toEqual(origin);
  });

  it.each([0.02, 0.3, 0.9, 0.999])('is refused when only %d of it is there', async (part) => {
    const cut = sealed.subarray(0, Math.floor(sealed.length * part));
    await expect(read(unseal(key, Readable.from([cut])))).rejects.toThrow(
      /incomplete or was changed|not a backup/,
    );
    const plainCut = plain.subarray(0, Math.floor(plain.length * part));
    await expect(read(Readable.from([plainCut]))).rejects.toThrow(BackupDamaged);
  });

  it('is refused when a byte differs, is added or is left out', async () => {
    for (const at of [sealed.length - 20, Math.floor(sealed.length / 2)]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(read(unseal(key, Readable.from([changed])))).rejects.toThrow(BackupDamaged);
    }
    const changedRows = Buffer.from(plain);
    changedRows[1_000] = (changedRows[1_000] ?? 0) ^ 1;
    await expect(read(Readable.from([changedRows]))).rejects.toThrow(BackupDamaged);
    await expect(read(Readable.from([plain, Buffer.from('x')]))).rejects.toThrow(BackupDamaged);
  });

  it('is refused when a table took another number of rows', async () => {
    const rowCountOf = (name: string) => (name === 'public.users' ? 3 : null);
    await expect(read(Readable.from([plain]), rowCountOf)).rejects.toThrow(BackupDamaged);
  });

  it('says when the key is another one, or the file is no backup', async () => {
    const other = await newBackupKey();
    await expect(read(unseal(other, Readable.from([sealed])))).rejects.toThrow(
      'The key does not open this backup.',
    );
    await expect(read(unseal(key, Readable.from([rows])))).rejects.toThrow(BackupLocked);
    await expect(read(unseal(key, Readable.from([])))).rejects.toThrow(BackupLocked);
  });

  it('passes on an error of the place that it is read from', async () => {
    const broken = Object.assign(new Error('EIO'), { code: 'EIO' });
    const failing = Readable.from(
      (async function* () {
        yield sealed.subarray(0, sealed.length / 2);
        throw broken;
      })(),
    );
    await expect(read(unseal(key, failing))).rejects.toThrow('EIO');
  });
});
