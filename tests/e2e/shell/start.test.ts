import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../../apps/server/src/testing/data-folder.ts';
import {
  freePortRange,
  interrupt,
  type StartedProduct,
  startProduct,
  untilReady,
} from '../support/started-product.ts';

const run = promisify(execFile);

const folders: string[] = [];
const foldersOfFile: string[] = [];
const removeAll = async (paths: string[]) => {
  for (const folder of paths.splice(0)) await rm(folder, { recursive: true, force: true });
};
afterEach(() => removeAll(folders));
afterAll(() => removeAll(foldersOfFile));

async function newDataFolder(): Promise<string> {
  const folder = await makeDataFolder('assay-start-');
  folders.push(folder);
  return folder;
}

/** Every process that was given this data folder, in its environment or on its command line. */
async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-ww', '-e', '-o', 'pid,args', 'e'], { maxBuffer: 50_000_000 });
  return stdout.split('\n').filter((line) => line.includes(folder) && !line.includes('ps -ww'));
}

describe('npm start', () => {
  it('refuses a taken port and names a range that is free', async () => {
    const { port } = inject('product');
    const { ended, printed } = startProduct({ PORT: String(port), ASSAY_DATA: await newDataFolder() });

    expect(await ended).toBe(1);
    expect(printed()).toMatch(
      /Ports \d+ .*are taken by another program\. .*which are free: PORT=\d+ npm start/,
    );
    expect(printed()).not.toContain(`PORT=${port} `);
  });

  it('refuses a data folder that a running product uses', async () => {
    const { ended, printed } = startProduct({
      PORT: String(await freePortRange()),
      ASSAY_DATA: inject('product').dataFolder,
    });

    expect(await ended).toBe(1);
    expect(printed()).toContain('Assay already runs on this data folder');
  });

  it('names a wrong setting', async () => {
    const { ended, printed } = startProduct({ PORT: 'three', ASSAY_DATA: await newDataFolder() });

    expect(await ended).toBe(1);
    expect(printed()).toContain("PORT is 'three'");
  });

  describe('with all its processes running', () => {
    let env: { PORT: string; ASSAY_DATA: string };
    beforeAll(async () => {
      env = { PORT: String(await freePortRange()), ASSAY_DATA: await newDataFolder() };
      foldersOfFile.push(...folders.splice(0));
    });

    // One after the other on the same data, so that each shows that the one before left it in order.
    it.each([
      ['SIGINT', 'the terminal', 'even if run.json cannot be written'],
      ['SIGTERM', 'npm', ''],
      ['SIGTERM', 'the worker', ''],
      ['SIGTERM', 'the database', ''],
      ['SIGKILL', 'npm', ''],
      ['SIGKILL', 'the supervisor', ''],
    ] as const)('stops all of them at %s to %s %s', async (signal, kind, fault) => {
      const product = startProduct(env);
      onTestFinished(() => interrupt(product));
      await untilReady(product);
      const running = await processesOf(env.ASSAY_DATA);
      expect(running.length).toBeGreaterThan(5);
      // Its threads and processes run the bundle too, and no sources.
      const ofNode = running.filter((line) => line.includes('assay.mjs '));
      expect(ofNode.filter((line) => !line.includes('/.assay-bundles/'))).toEqual([]);
      // A folder in the place of the new version that the supervisor renames to run.json.
      const draft = join(env.ASSAY_DATA, `run.json.${pidOf('the supervisor', running, product)}`);
      if (fault) await mkdir(draft);

      process.kill(pidOf(kind, running, product), signal);
      await product.ended;

      expect(await processesOf(env.ASSAY_DATA)).toEqual([]);
    });

    it('gives up with the reason when a part of the product cannot start', async () => {
      const { ended, printed } = startProduct({ ...env, ASSAY_STAGE: 'nowhere' });

      expect(await ended).toBe(1);
      expect(printed()).toContain('ASSAY_STAGE');
      expect(printed()).toContain('Assay cannot start');
      expect(await processesOf(env.ASSAY_DATA)).toEqual([]);
    });
  });
});

const marks = {
  'the terminal': null,
  npm: null,
  'the supervisor': 'assay.mjs start ',
  'the worker': 'assay.mjs worker ',
  'the database': '/bin/postgres -D ',
} as const;

function pidOf(kind: keyof typeof marks, running: string[], { process: npm }: StartedProduct): number {
  const mark = marks[kind];
  // Ctrl-C in a terminal reaches a whole group, which is what a negative number means.
  if (mark === null) return (npm.pid as number) * (kind === 'npm' ? 1 : -1);
  return Number.parseInt(running.find((line) => line.includes(mark)) ?? '', 10);
}
