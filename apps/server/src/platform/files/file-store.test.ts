import fs from 'node:fs';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { startObjectStore } from '@assay/stand-ins/object-store';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FileStore } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';
import { openTestS3Store } from './testing/s3-store.ts';

interface OpenStore {
  readonly store: FileStore;
  /** Keys of all stored files, unfinished ones included. */
  readonly kept: () => Promise<string[]>;
  readonly close: () => Promise<void>;
}

async function openFolder(): Promise<OpenStore> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-files-'));
  return {
    store: createFolderStore(folder),
    kept: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function openBucket(): Promise<OpenStore> {
  const objectStore = await startObjectStore();
  const { objects, uploads } = objectStore.bucket('assay');
  return {
    store: await openTestS3Store(objectStore),
    kept: async () => [...objects.keys(), ...[...uploads.values()].map(({ key }) => key)].sort(),
    close: () => objectStore.close(),
  };
}

async function* bytes(...pieces: (string | Buffer)[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** More than S3 takes in one part. */
const large = Buffer.alloc(6 * 1024 * 1024, 'jane@exists.test\n');

describe.each([
  ['a folder', openFolder],
  ['an S3-compatible store', openBucket],
])('files in %s', (_name, open) => {
  let opened: OpenStore;
  let store: FileStore;
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  afterEach(() => opened.close());

  it('are given back as they were written, and forgotten when they are removed', async () => {
    expect(await store.write('uploads/one', bytes('abc', 'déf'))).toEqual({ byteCount: 7 });
    expect((await buffer(store.read('uploads/one'))).toString()).toBe('abcdéf');

    await store.remove('uploads/one');
    await store.remove('uploads/one');
    await expect(buffer(store.read('uploads/one'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await opened.kept()).toEqual([]);
  });

  it('are opened when they are read, so that one that is not there harms nobody before', async () => {
    const waiting = store.read('late/file');
    await store.write('late/file', bytes('Here now'));

    expect((await buffer(waiting)).toString()).toBe('Here now');
  });

  it('are not there when their bytes fail before they are read', async () => {
    const failing = new Readable({ read: () => undefined });
    failing.destroy(new Error('The bytes failed.'));

    await expect(store.write('uploads/one/failing', failing)).rejects.toThrow('The bytes failed.');
    expect(await opened.kept()).toEqual([]);
  });

  it('may be empty, and may be large', async () => {
    expect(await store.write('uploads/empty', bytes())).toEqual({ byteCount: 0 });
    expect(await store.write('uploads/large', bytes(large, large))).toEqual({ byteCount: 2 * large.length });

    expect(await buffer(store.read('uploads/empty'))).toHaveLength(0);
    const read = await buffer(store.read('uploads/large'));
    expect(read.equals(Buffer.concat([large, large]))).toBe(true);
  });

  it('are listed by folder', async () => {
    expect(await Array.fromAsync(store.list('uploads'))).toEqual([]);
    await store.write('uploads/ann/1', bytes('a'));
    await store.write('uploads/bob/2', bytes('b'));
    await store.write('others/3', bytes('c'));

    const keys = await Array.fromAsync(store.list('uploads'));
    expect(keys.sort()).toEqual(['uploads/ann/1', 'uploads/bob/2']);
    expect(await Array.fromAsync(store.list('uploads/ann'))).toEqual(['uploads/ann/1']);
  });

  it('are replaced by a second writing', async () => {
    await store.write('uploads/one', bytes('first'));
    await store.write('uploads/one', bytes('second'));

    expect((await buffer(store.read('uploads/one'))).toString()).toBe('second');
  });

  it.each([
    ['at once', []],
    ['on the way', ['half']],
    ['after many bytes', [large, large]],
  ])('leave nothing when the stream breaks %s', async (_when, pieces) => {
    async function* breaking() {
      yield* bytes(...pieces);
      throw new Error('the line went dead');
    }

    await expect(store.write('uploads/two', breaking())).rejects.toThrow('the line went dead');
    expect(await opened.kept()).toEqual([]);
  });

  it('may be read in part', async () => {
    await store.write('uploads/large', bytes(large));
    for await (const piece of store.read('uploads/large')) {
      expect((piece as Buffer).toString()).toMatch(/^jane@exists\.test\n/);
      break;
    }

    expect(await buffer(store.read('uploads/large'))).toHaveLength(large.length);
  });

  it('are removed by the folder, and those of a folder with a longer name stay', async () => {
    for (const key of ['uploads/ann/1', 'uploads/ann/2', 'uploads/ann/deep/3', 'uploads/anna/1']) {
      await store.write(key, bytes('x'));
    }

    await store.removeAll('uploads/ann');
    await store.removeAll('uploads/nobody');

    expect(await opened.kept()).toEqual(['uploads/anna/1']);
  });

  it('do not appear in a folder that was removed while they were written', async () => {
    async function* whileRemoving() {
      yield* bytes(large);
      await vi.waitUntil(async () => (await opened.kept()).length > 0, { timeout: 50_000 });
      await store.removeAll('uploads/ann');
      yield* bytes(large);
    }

    await expect(store.write('uploads/ann/1', whileRemoving())).rejects.toThrow();
    expect(await opened.kept()).toEqual([]);
  });

  it('have no keys that lead elsewhere', async () => {
    await expect(store.write('../escape', bytes('x'))).rejects.toThrow(/Not a file key/);
    expect(() => store.read('/etc/hosts')).toThrow(/Not a file key/);
  });
});

describe('a file in a folder', () => {
  it('is on the disk with its name and its new folders when the writing ends', async () => {
    const opened = await openFolder();
    onTestFinished(() => opened.close());
    const probe = await open(import.meta.filename);
    await probe.close();
    const flushFile = vi.spyOn(fs, 'fsync');
    const flushFolder = vi.spyOn(Object.getPrototypeOf(probe), 'sync');
    onTestFinished(() => {
      flushFile.mockRestore();
      flushFolder.mockRestore();
    });

    await opened.store.write('deletions/today/1', bytes('a'));
    expect(flushFile).toHaveBeenCalledTimes(1);
    // Of `today`, of `deletions` and of the folder of the store.
    expect(flushFolder).toHaveBeenCalledTimes(3);

    await opened.store.write('deletions/today/2', bytes('b'));
    expect(flushFile).toHaveBeenCalledTimes(2);
    expect(flushFolder).toHaveBeenCalledTimes(4);
  });
});
