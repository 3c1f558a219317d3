import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FEATURE_FLAGS, INCIDENT_STATES, STATUS_PARTS } from '@assay/contract';
import { STANDINGS } from '@assay/contract/operator';
import { startIdentity } from '@assay/identity';
import { freePort } from '@assay/postgres/testing/free-port';
import { startPayments } from '@assay/stand-ins/payments';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandWords } from '../src/commands/usages.ts';
import { defaultOf, localUrl } from '../src/platform/config/index.ts';
import { createBareDatabase } from '../src/testing/database.ts';
import { runCommand } from './commands.ts';
import { demoAccount } from './embedded/demo-account.ts';
import { portOptions } from './embedded/mail-world.ts';
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

  it('names the command that creates the tables of an empty database', async () => {
    const database = await createBareDatabase();
    onTestFinished(() => database.drop());

    const { code, err } = await run(['support', 'list'], { DATABASE_URL: database.url });

    expect([code, err]).toEqual([1, expect.stringContaining('Run `assay migrate` first.')]);
  });
});

/** Names the files that Node loads, apart from its own. */
const namingHook = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) console.error(url.replace(/.*\\/(?=(apps|packages|node_modules)\\/)/, ''));
      return next(url, context);
    },
  });`;

/** Runs a program in a process of its own. */
async function watchLoading(program: string, ...words: string[]) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...['--import', `data:text/javascript,${encodeURIComponent(namingHook)}`],
    ...['--input-type=module', '--eval', program, ...words],
  ]);
  return { stdout, files: stderr.trim().split('\n') };
}

describe('--help', () => {
  const helpOfAll = `
    const { runCommand } = await import(process.argv[1]);
    for (const name of process.argv.slice(2)) await runCommand([name, '--help'], process);`;

  it('of every command loads its words and no code', async () => {
    const commands = new URL('commands.ts', import.meta.url).href;

    const { stdout, files } = await watchLoading(helpOfAll, commands, ...Object.keys(commandWords));

    expect(files).toEqual([
      'apps/server/bin/commands.ts',
      'apps/server/src/commands/usages.ts',
      'packages/verifier/src/cli/usages.ts',
    ]);
    for (const name of Object.keys(commandWords)) expect(stdout).toContain(`Usage:\n  assay ${name}`);
  });

  const either = (words: readonly string[]) => words.join(', ').replace(/, (\w+)$/, ' or $1');

  it.each([
    ['token', `--email ${demoAccount.email})" ${localUrl(Number(defaultOf('port')))}/api`],
    ['mail-world', `${portOptions['dns-port'].default} and ${portOptions['smtp-port'].default} unless given`],
    ['users', `Flags: ${FEATURE_FLAGS.join(', ')}\nStandings: ${STANDINGS.join(', ')}.`],
    ['incidents', `PART is ${either(STATUS_PARTS)}; STATE is ${either(INCIDENT_STATES)}.`],
  ] as const)('of %s names what the code takes: %s', (name, words) => {
    expect(commandWords[name].usage).toContain(words);
  });

  it('creates nothing', async () => {
    const folder = await newFolder();

    const { code, out } = await run(['start', '--help'], { ASSAY_DATA: join(folder, 'data') });

    expect([code, out]).toEqual([0, `${commandWords.start.usage}\n`]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is offered for a word that every object has', async () => {
    expect(await run(['constructor'], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining("assay has no command 'constructor'."),
    });
  });
});

it('assay verify does not load what explains bounces', async () => {
  const program = new URL('embedded/verify.ts', import.meta.url).href;

  const { files } = await watchLoading('await import(process.argv[1])', program);

  expect(files).toContain('packages/verifier/src/verifier.ts');
  expect(files.filter((name) => name.includes('/bounces/'))).toEqual([]);
});

describe('assay start', () => {
  const heavy = /kysely|oidc-provider|fastify|simplewebauthn|stripe\/|apps\/server\/src\/features/;

  it.each([
    ['its supervisor', 'start.ts', /^$/],
    ['the thread of the identity provider', 'start-identity.ts', /oidc-provider/],
    ['the thread of payments', 'payments.ts', /features\/billing\/(?:set-up|payments\/)/],
  ])('loads little before the product: %s', async (_, file, needed) => {
    const program = new URL(`embedded/${file}`, import.meta.url).href;

    const { files } = await watchLoading('await import(process.argv[1])', program);

    expect(files.filter((name) => heavy.test(name) && !needed.test(name))).toEqual([]);
    expect(files.length).toBeLessThan(450);
  });
});

it('says which Node it needs when it runs on an older one', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
  const assay = fileURLToPath(new URL('assay.mjs', import.meta.url));
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(older)}`];

  await expect(promisify(execFile)(process.execPath, [...preload, assay, '--help'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('assay needs Node 24 or newer; this is Node 20.19.0. Run `npx assay`'),
  });
});

describe('--json', () => {
  const printNoData = ['start', 'api', 'worker', 'identity', 'mcp'];
  /** In mail-world.test.ts, because it runs until it is stopped, and below, because it needs a running product. */
  const testedElsewhere = ['mail-world', 'token'];

  it('makes every line of every command that prints data a JSON object', async () => {
    const database = await createBareDatabase();
    onTestFinished(() => database.drop());
    const payments = await startPayments({ secretKey: 'sk_test_json' });
    onTestFinished(() => payments.close());
    const folder = await newFolder();
    const env = {
      ASSAY_DATA: folder,
      DATABASE_URL: database.url,
      ASSAY_SECRET: 'a secret of at least thirty-two bytes',
      ASSAY_PREVIOUS_SECRETS: 'another secret of thirty-two bytes',
      ASSAY_BLOCK_LISTS: 'none',
      ASSAY_EGRESS_TARGETS: 'none',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      PUBLIC_URL: 'http://127.0.0.1:1',
      STRIPE_API_URL: payments.origin,
      STRIPE_SECRET_KEY: 'sk_test_json',
      STRIPE_WEBHOOK_SECRET: 'whsec_json',
    };
    const backup = join(folder, 'backup');
    const reason = ['--reason', 'A test'];
    const calls: string[][] = [
      ['migrate'],
      ['verify', 'jane@exists.test'],
      ['explain', '250 2.1.5 OK'],
      ['users', 'suspects'],
      ['operators', 'list'],
      ['operators', 'verify'],
      ['credits', 'withheld'],
      ['coupons', 'create', 'JSON-500', '--credits', '500', ...reason],
      ['coupons', 'list'],
      ['coupons', 'disable', 'JSON-500', ...reason],
      ['lists', 'stuck'],
      ['jobs', 'list'],
      ['incidents', 'open', 'lists', 'degraded', '--words', 'A test'],
      ['incidents', 'list'],
      ['owners', 'stop', 'example.com', ...reason],
      ['owners', 'list'],
      ['questions'],
      ['support', 'list'],
      ['payments', 'setup'],
      ['payments', 'strays', '--since', '2020-01-01'],
      ['doctor'],
      ['egress', 'check'],
      ['activity', 'verify'],
      ['secret', 'rotate'],
      ['ledger', 'audit'],
      ['backup', backup],
      ['restore', backup, '--secrets', join(folder, 'secrets')],
      ['recover', '--since', '2026-01-01T00:00:00Z'],
    ];

    for (const argv of calls) {
      const { out, err } = await run([...argv, '--json'], env);
      expect(err, argv.join(' ')).toBe('');
      const isJson = (line: string) => line.startsWith('{') && JSON.parse(line) !== null;
      expect(
        out
          .split('\n')
          .slice(0, -1)
          .filter((line) => !isJson(line)),
        argv.join(' '),
      ).toEqual([]);
    }
    const names = new Set([...calls.map(([name]) => name), ...printNoData, ...testedElsewhere]);
    expect([...names].sort()).toEqual(Object.keys(commandWords).sort());
  });

  it('shows the version too', async () => {
    expect(JSON.parse((await run(['--version', '--json'], { ASSAY_COMMIT: 'abc' })).out)).toEqual({
      version: expect.any(String),
      commit: 'abc',
      node: process.versions.node,
    });
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

  it('prints a token of the embedded provider, as JSON with --json', async () => {
    const [folder, database] = [await newFolder(), await createBareDatabase()];
    onTestFinished(() => database.drop());
    const identity = await startIdentity({
      databaseUrl: database.url,
      issuer: 'http://localhost/identity',
      audience: 'assay',
      clientId: 'web',
      host: '127.0.0.1',
      port: await freePort(),
      redirectUris: ['http://localhost/redirect'],
      postLogoutRedirectUris: ['http://localhost/'],
      demo: demoAccount,
    });
    onTestFinished(() => identity.close());
    const environment = {
      DATABASE_URL: database.url,
      OIDC_ISSUER: 'http://localhost/identity',
      OIDC_AUDIENCE: 'assay',
      OIDC_CLIENT_ID: 'web',
    };
    const claim = { pid: process.ppid, url: 'http://localhost:1', environment };
    await writeFile(join(folder, 'run.json'), JSON.stringify(claim));
    const ask = (...words: string[]) =>
      run(['token', '--email', demoAccount.email, ...words], { ASSAY_DATA: folder });

    const [plain, json] = [await ask(), await ask('--json')];

    expect(plain.out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(JSON.parse(json.out)).toEqual({ token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
  });
});
