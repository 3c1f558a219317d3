import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { freePortRange, interrupt, startProduct, untilReady } from '../support/started-product.ts';

const run = promisify(execFile);

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-start-'));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** Every process that was given this data folder, in its environment or on its command line. */
async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-ww', '-e', '-o', 'pid,args', 'e'], { maxBuffer: 50_000_000 });
  return stdout.split('\n').filter((line) => line.includes(folder) && !line.includes('ps -ww'));
}

describe('npm start', () => {
  it('refuses a taken port with what to do about it', async () => {
    const { ended, printed } = startProduct({
      PORT: String(inject('product').port),
      ASSAY_DATA: await newDataFolder(),
    });

    expect(await ended).toBe(1);
    expect(printed()).toMatch(/Port \d+ .*is taken by another program\. .*PORT=\d+ npm start/);
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

  it('gives up with the reason when a part of the product cannot start', async () => {
    const { ended, printed } = startProduct({
      PORT: String(await freePortRange()),
      ASSAY_DATA: await newDataFolder(),
      ASSAY_STAGE: 'nowhere',
    });

    expect(await ended).toBe(1);
    expect(printed()).toContain('ASSAY_STAGE');
    expect(printed()).toContain('Assay does not start');
  });

  it('stops everything at Ctrl-C, leaves no process behind, and starts again on the same data', async () => {
    const folder = await newDataFolder();
    const env = { PORT: String(await freePortRange()), ASSAY_DATA: folder };
    for (const round of ['first', 'second']) {
      const product = startProduct(env);
      await untilReady(product);
      expect((await processesOf(folder)).length, round).toBeGreaterThan(2);
      interrupt(product);
      await product.ended;

      expect(product.printed(), round).toContain('Stopping');
      expect(await processesOf(folder), round).toEqual([]);
    }
  });
});
