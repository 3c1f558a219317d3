import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderStore } from './folder-store.ts';

async function* bytes(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

describe('files in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-files-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives back what was written, and forgets what was removed', async () => {
    const store = createFolderStore(folder);

    expect(await store.write('uploads/one', bytes('abc', 'def'))).toEqual({ byteCount: 6 });
    expect((await buffer(store.read('uploads/one'))).toString()).toBe('abcdef');

    await store.remove('uploads/one');
    await store.remove('uploads/one');
    await expect(buffer(store.read('uploads/one'))).rejects.toThrow(/ENOENT/);
  });

  it('keeps nothing of a stream that breaks', async () => {
    async function* breaking() {
      yield Buffer.from('half');
      throw new Error('the line went dead');
    }
    const store = createFolderStore(folder);

    await expect(store.write('uploads/two', breaking())).rejects.toThrow('the line went dead');
    expect(await readdir(join(folder, 'uploads'))).toEqual([]);
  });

  it('refuses keys that lead out of the folder', async () => {
    await expect(createFolderStore(folder).write('../escape', bytes('x'))).rejects.toThrow(/Not a file key/);
  });
});
