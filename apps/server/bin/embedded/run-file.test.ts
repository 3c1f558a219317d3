import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimDataFolder, findRun, publishRun, releaseDataFolder, withdrawRun } from './run-file.ts';

const run = { url: 'http://localhost:3000', environment: { DATABASE_URL: 'postgres://here' } };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-run-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
const leaveClaim = (folder: string, claim: object) =>
  writeFile(join(folder, 'run.json'), JSON.stringify(claim));

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a claim on the data folder', () => {
  it('of a running product is refused to another one, and names its process and address', async () => {
    const folder = await newFolder();
    await leaveClaim(folder, { pid: process.ppid, ...run });

    await expect(claimDataFolder(folder)).rejects.toThrow(
      `Assay already runs on this data folder (process ${process.ppid}, http://localhost:3000).`,
    );
  });

  it('of a product that is starting is refused as well', async () => {
    const folder = await newFolder();
    await leaveClaim(folder, { pid: process.ppid });

    await expect(claimDataFolder(folder)).rejects.toThrow(
      `Another Assay process (${process.ppid}) is starting or stopping on this data folder`,
    );
  });

  it.each([
    ['of a dead process', async () => JSON.stringify({ pid: await deadPid(), ...run })],
    ['with our own number, left by an earlier container', async () => JSON.stringify({ pid: process.pid })],
    ['that a crash left empty', async () => ''],
  ])('%s is taken over', async (_, left) => {
    const folder = await newFolder();
    await writeFile(join(folder, 'run.json'), await left());

    await claimDataFolder(folder);

    expect(JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await readdir(folder)).toEqual(['run.json']);
  });

  it.runIf(process.platform === 'linux')(
    'from before the machine restarted is taken over, although another program has its process number',
    async () => {
      const folder = await newFolder();
      await leaveClaim(folder, { pid: process.ppid, processStart: '1', ...run });
      expect(await findRun(folder)).toBeNull();

      await claimDataFolder(folder);
    },
  );

  it('goes to one of several processes that start at once', async () => {
    const folder = await newFolder();
    await leaveClaim(folder, { pid: await deadPid(), ...run });
    const program = `const { claimDataFolder } = await import(${JSON.stringify(import.meta.resolve('./run-file.ts'))});
      await claimDataFolder(${JSON.stringify(folder)}).then(() => console.log('claimed'), () => console.log('refused'));
      process.stdin.resume();`;
    const starters = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program]),
    );
    onTestFinished(() => {
      for (const starter of starters) starter.kill('SIGKILL');
    });

    const answers = await Promise.all(
      starters.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
    );

    expect(answers.toSorted()).toEqual(['claimed', 'refused', 'refused', 'refused']);
  });
});

describe('a run', () => {
  it('is found by commands from the moment the product is ready until it stops', async () => {
    const folder = await newFolder();
    expect(await findRun(folder)).toBeNull();
    await leaveClaim(folder, { pid: process.ppid, ...run });
    expect(await findRun(folder)).toEqual({ pid: process.ppid, ...run });
    await leaveClaim(folder, { pid: process.ppid });
    expect(await findRun(folder)).toBeNull();
    await leaveClaim(folder, { pid: await deadPid(), ...run });
    expect(await findRun(folder)).toBeNull();
  });

  it('is published in a file that only its owner may read, and withdrawn before the folder is released', async () => {
    const folder = await newFolder();
    const read = async () => JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    await claimDataFolder(folder);

    await publishRun(folder, run);
    expect(await read()).toMatchObject({ pid: process.pid, ...run });
    expect((await stat(join(folder, 'run.json'))).mode & 0o777).toBe(0o600);
    await withdrawRun(folder);
    expect(await read()).toMatchObject({ pid: process.pid });
    expect(await read()).not.toHaveProperty('environment');
    await releaseDataFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });
});
