import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { preparePrivateFolder } from './data-folder.ts';

/** As root, the database's own user must still pass through to its folder. */
const privateMode = process.getuid?.() === 0 ? 0o710 : 0o700;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('the data folder', () => {
  it('is made so that other users cannot look inside', async () => {
    const folder = join(await newFolder(), 'deep', '.assay');

    await preparePrivateFolder(folder);

    expect(await modeOf(folder)).toBe(privateMode);
  });

  it('is shut when an earlier version left it open', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'secret'), '');

    await preparePrivateFolder(folder);

    expect(await modeOf(folder)).toBe(privateMode);
  });

  it('stays as it is when it holds files of others', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'letter.txt'), '');

    await preparePrivateFolder(folder);

    expect(await modeOf(folder)).toBe(0o755);
  });

  it.runIf(process.getuid?.() === 0)('stays as it is when it belongs to another user', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o777);
    process.seteuid?.(65_534);
    onTestFinished(() => process.seteuid?.(0));

    await preparePrivateFolder(folder);

    expect(await modeOf(folder)).toBe(0o777);
  });
});
