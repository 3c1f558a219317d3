// npm run upgrade [-- --release COMMIT --minutes M --phases 4,5]: upgrades a database of the previous release with the commands of
// docs/operations.md, and runs processes of that release and of this version side by side on it, as during a rolling upgrade. Each phase
// verifies a list and ends with the audit.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startMailWorld } from '@assay/mail-world';
import { startPostgres } from '@assay/postgres';
import { freePort } from '@assay/postgres/testing/free-port';
import { makeDataFolder } from '../../apps/server/src/testing/data-folder.ts';
import { startTestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { writeListFile, zone } from '../faults/list-file.ts';
import { type Customer, signUp } from '../support/customer.ts';
import { describeSurroundings } from '../support/environment.ts';
import { type ProductProcess, runAssay, startProcess } from '../support/product-process.ts';
import { onShutdown } from '../support/shutdown.ts';
import { Deadline } from '../support/until.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({
  options: {
    // Until there is a release: the commit that the first installations run.
    release: { type: 'string', default: 'a631d68' },
    // Without a new result. Old workers refuse jobs of the new version, and each refusal doubles the wait of a job, up to five minutes.
    minutes: { type: 'string', default: '6' },
    phases: { type: 'string', default: '1,2,3,4,5' },
  },
});
const silenceMsMax = Number(values.minutes) * 60_000;

type Version = 'old' | 'new';
const phases: readonly { api: Version; workers: readonly Version[] }[] = [
  { api: 'old', workers: ['old'] },
  { api: 'old', workers: ['old', 'new'] },
  { api: 'old', workers: ['new'] },
  { api: 'new', workers: ['old', 'new'] },
  { api: 'new', workers: ['new'] },
];
const chosenPhases = values.phases.split(',').map((number) => {
  const phase = phases[Number(number) - 1];
  if (!phase) throw new Error(`--phases ${values.phases}: give some of 1 to ${phases.length}, such as 4,5.`);
  return { ...phase, seed: Number(number) };
});

const closers: (() => Promise<unknown>)[] = [];
const closeAll = async () => {
  for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
};
onShutdown(closeAll);

try {
  process.exitCode = (await rehearse()) ? 0 : 1;
} finally {
  await closeAll();
}

async function rehearse(): Promise<boolean> {
  const oldFolder = await install(values.release);
  const folder = await makeDataFolder('assay-upgrade-');
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { fsync: 'off' } });
  closers.push(() => server.stop());
  const issuer = await startTestIssuer();
  closers.push(() => issuer.close());
  const mail = await startMailWorld({ zone, replyDelayMs: 5 });
  closers.push(() => mail.close());
  const dataFolder = await mkdtemp(join(folder, 'data-'));
  await mkdir(join(dataFolder, 'files'));
  const surroundings = await describeSurroundings({ databaseUrl: server.url, issuer, mail, dataFolder });
  const { environment } = surroundings;
  const programs = {
    old: programIn(oldFolder),
    new: programIn(await upgrade(oldFolder, folder, environment)),
  };

  let isPassed = true;
  for (const { api, workers, seed } of chosenPhases) {
    const processes: ProductProcess[] = [];
    const start = async (role: 'api' | 'worker', version: Version) => {
      const own = { ...environment, WORKER_METRICS_PORT: String(await freePort()) };
      processes.push(await startProcess(role, own, [process.execPath, programs[version]]));
    };
    const name = `API ${api}, workers ${workers.join(' and ')}`;
    try {
      await start('api', api);
      for (const version of workers) await start('worker', version);
      const file = writeListFile(seed);
      const customer = await signUp(issuer, surroundings, file.rowCount);
      const faults = await verifyList({ customer, text: file.text, processes, environment });
      if (api === 'new') faults.push(...(await openWebApp(surroundings.apiUrl)));
      const troubles = processes
        .flatMap((one) => one.troubles)
        .filter((line) => line.includes('"level":"error"'));
      isPassed &&= faults.length === 0;
      console.log(
        `${faults.length === 0 ? 'passed' : 'FAILED'}  ${name}; ${troubles.length} errors in the logs`,
      );
      for (const fault of faults) console.log(`        ${fault}`);
      for (const kind of new Set(troubles.map(messageOf))) console.log(`        | ${kind}`);
    } catch (error) {
      isPassed = false;
      console.log(`FAILED  ${name}: ${(error as Error).message}`);
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
    }
  }
  return isPassed;
}

function programIn(folder: string): string {
  return join(folder, 'apps/server/bin/assay.mjs');
}

/** Follows the steps of docs/operations.md as they are written. Returns the folder of the new version. */
async function upgrade(
  oldFolder: string,
  folder: string,
  environment: Record<string, string>,
): Promise<string> {
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const steps = /^## Upgrades$[\s\S]*?(^1\. [\s\S]*?)\n\n/m.exec(page)?.[1] ?? '';
  const [backUp = '', build = '', migrate = '', ...others] = [...steps.matchAll(/`(np[mx] [^`]+)`/g)].map(
    ([, command = '']) => command,
  );
  if (migrate === '' || others.length > 0)
    throw new Error(`The steps of docs/operations.md changed: ${steps}`);
  const follow = async (command: string, cwd: string) => {
    console.log(`following: ${command}`);
    const env = { ...process.env, ...environment };
    await run('sh', ['-c', command], { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  };

  await follow('npx assay migrate', oldFolder);
  const newFolder = await mkdtemp(join(tmpdir(), 'assay-upgrade-new-'));
  closers.push(() => rm(newFolder, { recursive: true, force: true }));
  await unpack('HEAD', newFolder);
  await follow(build, newFolder);
  await follow(migrate, newFolder);
  // The first step belongs before these, in the old folder, but a631d68 has no such command.
  await follow(backUp.replace('FILE', join(folder, 'backup')), newFolder);
  return newFolder;
}

/** Without its build, the API answers 404. */
async function openWebApp(apiUrl: string): Promise<string[]> {
  const page = await fetch(new URL('/', apiUrl));
  return (await page.text()).includes('<div id="root">') ? [] : [`/ answers ${page.status} and no page`];
}

/** What went wrong. */
async function verifyList({
  customer: { client },
  text,
  processes,
  environment,
}: {
  customer: Customer;
  text: string;
  processes: readonly ProductProcess[];
  environment: Record<string, string>;
}): Promise<string[]> {
  const falls = () => processes.flatMap(({ fall }) => fall ?? []);
  const newDeadline = () => new Deadline(silenceMsMax, () => falls()[0]);
  const list_raw = new File([text], 'people.csv', { type: 'text/csv' });
  const { id: list_id } = await client.validations.createList({ body: { list_raw } });
  const list = await untilComplete(client, list_id, newDeadline);
  const faults = falls();
  if (resultCountOf(list) !== list.total_emails)
    faults.push(`${resultCountOf(list)} of ${list.total_emails} addresses have a result`);
  const { email_address_status } = await verifySingle(client, newDeadline());
  if (email_address_status !== 'VALID') faults.push(`a single check says ${email_address_status}`);
  await client.validations.deleteList({ params: { list_id } });
  const audit = await runAssay(environment, 'ledger', 'audit').catch((error: Error) => error.message);
  if (!audit.includes('The ledger agrees')) faults.push(audit.trim());
  return faults;
}

type List = Awaited<ReturnType<Customer['client']['validations']['getList']>>;

// Functions, and not constants: the program above waits for them before this line runs.
function resultCountOf({ email_metrics }: List): number {
  return Object.values(email_metrics).reduce((sum, count) => sum + count, 0);
}

/** However long it takes, as long as results arrive: a busy machine is no fault of the upgrade. */
async function untilComplete(
  client: Customer['client'],
  list_id: string,
  newDeadline: () => Deadline,
): Promise<List> {
  for (let known = 0; ; ) {
    const list = await newDeadline().until('the list has a new result', async () => {
      const found = await client.validations.getList({ params: { list_id } });
      return (found.status === 'COMPLETE' || resultCountOf(found) > known) && found;
    });
    if (list.status === 'COMPLETE') return list;
    known = resultCountOf(list);
  }
}

async function verifySingle(client: Customer['client'], deadline: Deadline) {
  const email_address = 'staff1@prompt-0.test';
  await client.validations.startSingle({ body: { email_address } });
  return deadline.until('the single check is complete', async () => {
    const { results } = await client.validations.listSingles({ query: { page_number: 1, page_size: 10 } });
    return results.find((single) => single.email_address === email_address && single.status === 'COMPLETE');
  });
}

function messageOf(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return `${msg ?? ''}: ${err?.message ?? ''}`.slice(0, 300);
  } catch {
    return line.slice(0, 300);
  }
}

/** The release with its dependencies, kept between runs. */
async function install(commit: string): Promise<string> {
  const folder = join(tmpdir(), `assay-release-${commit}`);
  if (existsSync(folder)) return folder;
  const unfinished = await mkdtemp(`${folder}-`);
  await unpack(commit, unfinished);
  console.log(`installing ${commit} …`);
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: unfinished, maxBuffer: 64 * 1024 * 1024 });
  await rename(unfinished, folder);
  return folder;
}

async function unpack(commit: string, folder: string): Promise<void> {
  await run('sh', ['-c', 'git archive "$1" | tar --extract --directory "$2"', 'sh', commit, folder], {
    cwd: root,
  });
}
