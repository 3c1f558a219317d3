import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBareDatabase } from '../src/testing/database.ts';
import { runCommand } from './commands.ts';
import { withRunningEnvironment } from './embedded/product-environment.ts';
import { givenSettings } from './embedded/settings.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-commands-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function run(argv: string[], env: NodeJS.ProcessEnv) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommand(argv, { env, stdin: new PassThrough(), stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

describe('a command without data', () => {
  it.each([
    ['support', 'list'],
    ['users', 'show', '--email', 'ada@example.com'],
    ['backup', 'backup.assay'],
  ])('says where data is missing and creates nothing: %s', async (...argv) => {
    const folder = await newFolder();
    const ASSAY_DATA = join(folder, 'data');

    const { code, err } = await run(argv, { ASSAY_DATA });

    expect([code, err]).toEqual([1, expect.stringContaining(`There is no data in ${ASSAY_DATA}.`)]);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['support', 'migrate', 'restore'])(
    'explains itself and creates nothing: %s --help',
    async (name) => {
      const folder = await newFolder();

      const { code, out } = await run([name, '--help'], { ASSAY_DATA: join(folder, 'data') });

      expect([code, out]).toEqual([0, expect.stringContaining(`assay ${name}`)]);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('names the command that creates the tables of an empty database', async () => {
    const database = await createBareDatabase();
    onTestFinished(() => database.drop());

    const { code, err } = await run(['support', 'list'], { DATABASE_URL: database.url });

    expect([code, err]).toEqual([1, expect.stringContaining('Run `assay migrate` first.')]);
  });
});

describe('a command beside the running product', () => {
  it('has the settings that the product was started with, such as its relay', async () => {
    const folder = await newFolder();
    const started = { SMTP_RELAY_URL: 'smtp://relay.example:25', HOME: '/root', SMTP_UNKNOWN: 'x' };
    const claim = { pid: process.ppid, url: 'http://localhost:1', environment: givenSettings(started) };
    await writeFile(join(folder, 'run.json'), JSON.stringify(claim));

    const env = await withRunningEnvironment({ ASSAY_DATA: folder }, async (found) => found);

    expect(env).toEqual({ ASSAY_DATA: folder, SMTP_RELAY_URL: 'smtp://relay.example:25' });
  });
});
