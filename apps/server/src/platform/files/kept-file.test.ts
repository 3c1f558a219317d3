import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ensureKept } from './kept-file.ts';

const { writeFile } = vi.hoisted(() => ({ writeFile: vi.fn() }));
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  writeFile.mockImplementation(actual.writeFile);
  return { ...actual, writeFile };
});

describe('ensureKept', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-kept-'));
    onTestFinished(() => rm(folder, { recursive: true }));
  });
  const keep = (text: string) => ensureKept(join(folder, 'data', 'key'), () => text);

  it('creates the file once, for its owner only', async () => {
    expect(await keep('first')).toBe('first');
    expect(await keep('second')).toBe('first');
    expect((await stat(join(folder, 'data', 'key'))).mode & 0o777).toBe(0o600);
  });

  it('gives all that ask at once the same text', async () => {
    const texts = await Promise.all(['a', 'b', 'c', 'd'].map(keep));
    expect(new Set(texts).size).toBe(1);
  });

  it('leaves nothing behind when the disk is full, so that the next try creates the file', async () => {
    writeFile.mockImplementationOnce(async (path: string) => {
      const { open } = await import('node:fs/promises');
      await (await open(path, 'w')).close();
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    await expect(keep('first')).rejects.toThrow('no space');
    expect(await readdir(join(folder, 'data'))).toEqual([]);
    expect(await keep('second')).toBe('second');
  });
});
