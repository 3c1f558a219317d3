import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ensureKept } from './kept-file.ts';

const run = promisify(execFile);

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
    const script = `import { ensureKept } from '${import.meta.resolve('./kept-file.ts')}';
      await ensureKept(process.argv[1], () => 'first');`;
    // A process that may write no byte to a file stands for the full disk: the file can be opened, but not filled.
    const shell = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
    const node = [process.execPath, '--input-type=module', '--eval', script, join(folder, 'data', 'key')];
    await expect(run('sh', ['-c', shell, 'sh', ...node])).rejects.toThrow('EFBIG');
    expect(await readdir(join(folder, 'data'))).toEqual([]);
    expect(await keep('second')).toBe('second');
  });
});
