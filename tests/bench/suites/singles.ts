// Single checks of one account and of many, beside a bare program that does the least that is honest.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { writeListFile } from '../bulk/list-file.ts';
import { type BenchProduct, createList, previewFile, startBenchProduct } from '../bulk/product.ts';
import { print } from '../harness/print.ts';
import { atLeast, atMost, type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { type Answer, offer, quantile, saturate } from '../load/traffic.ts';
import { databaseCpuMs } from '../load/usage.ts';
import { cpuMsOf } from '../requests/load.ts';
import { checkThroughKills } from '../singles/check-through-kills.ts';
import {
  type Account,
  callOf,
  createBareTables,
  newAccount,
  openBare,
  openProduct,
  type Target,
} from '../singles/targets.ts';

const sizes = {
  large: { turns: 3, seconds: 8, warmUpSeconds: 10, listRows: 300_000, kill: { checks: 2_000, kills: 8 } },
  small: { turns: 1, seconds: 2, warmUpSeconds: 2, listRows: 20_000, kill: { checks: 200, kills: 2 } },
};
type Size = (typeof sizes)['large'];

const manyAccounts = 16;
const underWayEach = 16;
/** Of one account. */
const underWayCounts = [1, 16, 64, 256];
const credits = 10_000_000;

interface Scene {
  readonly product: BenchProduct;
  readonly assay: Target;
  readonly bare: Target;
  readonly size: Size;
  /** The first one calls alone in most parts. */
  readonly accounts: readonly [Account, ...Account[]];
}

const parts = {
  rates: compareRates,
  half: measureHalf,
  overload: measureOverload,
  list: measureBesideList,
  kill: killBoth,
};
type PartName = keyof typeof parts;

/** Options: `--only PART`, which may be repeated; `--turns N`; `--small`, to see the suite work: its figures say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const { values } = parseArgs({
    args: options,
    options: {
      only: { type: 'string', multiple: true },
      turns: { type: 'string' },
      small: { type: 'boolean', default: false },
    },
  });
  const names = values.only ?? Object.keys(parts);
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined) {
    throw new Error(`There is no part '${unknown}' of this suite: ${Object.keys(parts).join(', ')}.`);
  }
  const size = values.small ? sizes.small : sizes.large;
  // Mail hosts that answer at once: what a check takes is ours.
  const product = await startBenchProduct({ replyDelayMs: 0 });
  try {
    await createBareTables(product);
    const accounts: Account[] = [];
    while (accounts.length < manyAccounts) accounts.push(await newAccount(product, credits));
    const scene: Scene = {
      product,
      assay: await openProduct(product),
      bare: await openBare(product),
      size: { ...size, turns: Number(values.turns ?? size.turns) },
      accounts: accounts as [Account, ...Account[]],
    };
    try {
      const demands: Demand[] = [];
      for (const target of [scene.assay, scene.bare]) await warmUp(scene, target);
      for (const name of names as PartName[]) demands.push(...(await parts[name](scene)));
      return demands;
    } finally {
      await scene.assay.stop();
      await scene.bare.stop();
    }
  } finally {
    await product.close();
  }
}

/** Code is compiled meanwhile, and connections to mail hosts are open. */
async function warmUp({ size, accounts }: Scene, target: Target): Promise<void> {
  await saturate(trafficOf(target, accounts, 64, size.warmUpSeconds));
}

let checkCount = 0;
const nextAddress = (): string => {
  checkCount += 1;
  return `staff.${checkCount.toString(36)}@company-${checkCount % 160}.test`;
};

function trafficOf(target: Target, accounts: readonly Account[], connectionCount: number, seconds: number) {
  let turn = 0;
  const nextCall = () => callOf(target, accounts[turn++ % accounts.length] as Account, nextAddress());
  return { url: target.url, connectionCount, seconds, nextCall };
}

const isVerdict = ({ status }: Answer): boolean => status === 200;

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of its processes and of the database for one check. */
  readonly ownCpuMs: number;
  readonly databaseCpuMs: number;
  readonly other: number;
}

async function measure(
  { product, size }: Scene,
  target: Target,
  accounts: readonly Account[],
  underWay: number,
): Promise<Rate> {
  const readCpu = async () => {
    const own = await Promise.all(target.processIds().map(cpuMsOf));
    return { own: own.reduce((sum, ms) => sum + ms, 0), database: await databaseCpuMs(product.pool) };
  };
  const before = await readCpu();
  const answers = await saturate(trafficOf(target, accounts, underWay, size.seconds));
  const after = await readCpu();
  const good = answers.filter(isVerdict);
  return {
    perSecond: good.length / size.seconds,
    p50: quantile(good, 0.5),
    p99: quantile(good, 0.99),
    ownCpuMs: (after.own - before.own) / good.length,
    databaseCpuMs: (after.database - before.database) / good.length,
    other: answers.length - good.length,
  };
}

/** In alternation, so that both share what else the machine does meanwhile. */
async function compareRates(scene: Scene): Promise<Demand[]> {
  const [first] = scene.accounts;
  const cases = [
    ...underWayCounts.map((count) => ({ name: `1 account, ${count}`, accounts: [first], underWay: count })),
    {
      name: `${manyAccounts} accounts, ${underWayEach} each`,
      accounts: scene.accounts,
      underWay: manyAccounts * underWayEach,
    },
  ];
  const best = new Map<string, Rate>();
  const keep = (key: string, rate: Rate) => {
    const earlier = best.get(key);
    best.set(key, earlier && earlier.perSecond > rate.perSecond ? earlier : rate);
  };
  for (let turn = 0; turn < scene.size.turns; turn++) {
    for (const { name, accounts, underWay } of cases) {
      for (const target of [scene.bare, scene.assay])
        keep(`${target.name} ${name}`, await measure(scene, target, accounts, underWay));
    }
  }
  const of = (target: Target, name: string) => best.get(`${target.name} ${name}`) as Rate;
  const rows = cases.flatMap(({ name }) =>
    [scene.assay, scene.bare].map((target) => {
      const rate = of(target, name);
      return [
        `${name}, ${target.name}`,
        integer(rate.perSecond),
        decimal(rate.perSecond / of(scene.bare, name).perSecond),
        decimal(rate.p50, 1),
        decimal(rate.p99, 1),
        decimal(rate.ownCpuMs),
        decimal(rate.databaseCpuMs),
        integer(rate.other),
      ];
    }),
  );
  print(`\nSingle checks, ${availableParallelism()} cores, best of ${scene.size.turns} turns\n`);
  const head = ['under way', 'checks/s', 'of bare', 'p50 ms', 'p99 ms', 'own CPU ms', 'database CPU ms'];
  print(renderTable([...head, 'no verdict'], rows));

  const share = (name: string) => of(scene.assay, name).perSecond / of(scene.bare, name).perSecond;
  const aloneMs = of(scene.assay, '1 account, 1').p50;
  const ofMany = of(scene.assay, `${manyAccounts} accounts, ${underWayEach} each`).perSecond;
  return [
    atLeast('one account with 16 under way: half of the bare rate', share('1 account, 16'), 0.5),
    atLeast('one account with 64 under way: half of the bare rate', share('1 account, 64'), 0.5),
    atLeast(
      `one account with 256 under way: 0.9 of ${manyAccounts} with ${underWayEach} each`,
      of(scene.assay, '1 account, 256').perSecond / ofMany,
      0.9,
    ),
    atMost('one call alone, with hosts that answer at once: 15 ms', aloneMs, 15),
  ];
}

/** As many calls as connections would need if each waited for a few seconds. */
const manyConnections = 1_000;

const capacityOf = async (scene: Scene): Promise<number> =>
  (await measure(scene, scene.assay, [scene.accounts[0]], 64)).perSecond;

/** The p99 at half of the capacity, which is measured right before. */
async function measureHalf(scene: Scene): Promise<Demand[]> {
  let best: { readonly p50: number; readonly p99: number; readonly rate: number } | undefined;
  for (let turn = 0; turn < scene.size.turns; turn++) {
    const rate = (await capacityOf(scene)) / 2;
    const traffic = trafficOf(scene.assay, [scene.accounts[0]], 256, scene.size.seconds * 2);
    const answers = (await offer(traffic, rate)).filter(isVerdict);
    const found = { p50: quantile(answers, 0.5), p99: quantile(answers, 0.99), rate };
    if (!best || found.p99 / found.p50 < best.p99 / best.p50) best = found;
  }
  const { p50 = 0, p99 = 0, rate = 0 } = best ?? {};
  print(
    `\nHalf the capacity, ${integer(rate)} checks/s: p50 ${decimal(p50, 1)} ms, p99 ${decimal(p99, 1)} ms`,
  );
  return [atMost('at half the capacity: p99 at most 3 times p50', p99 / p50, 3)];
}

/** Three times as many calls as it can do: it must refuse early and keep serving what it accepts. */
async function measureOverload(scene: Scene): Promise<Demand[]> {
  const capacity = await capacityOf(scene);
  const { seconds } = scene.size;
  const traffic = trafficOf(scene.assay, [scene.accounts[0]], manyConnections, seconds);
  const answers = await offer(traffic, capacity * 3);
  const verdicts = answers.filter(isVerdict);
  const refused = answers.filter((answer) => !isVerdict(answer));
  const advised = refused.filter(({ hasRetryAfter }) => hasRetryAfter).length;
  const statuses = [...Map.groupBy(answers, ({ status }) => status)]
    .map(([status, of]) => `${status}: ${integer(of.length)} (p50 ${integer(quantile(of, 0.5))} ms)`)
    .join(', ');
  print(`\nThree times the capacity of ${integer(capacity)} checks/s: ${statuses}`);
  return [
    {
      what: 'overload: answers without a verdict have Retry-After',
      figure: `${integer(advised)} of ${integer(refused.length)}`,
      isMet: refused.length > 0 && advised === refused.length,
    },
    atLeast('overload: verdicts per second, half the capacity', verdicts.length / seconds / capacity, 0.5),
  ];
}

/** The rate of one account with 64 under way, with and without a list of another account beside it, in turn. */
async function measureBesideList(scene: Scene): Promise<Demand[]> {
  const { product, size } = scene;
  const [one, other] = scene.accounts as readonly [Account, Account];
  const file = await writeListFile(product.folder, size.listRows);
  let best = 0;
  let wasRunning = true;
  for (let turn = 0; turn < size.turns; turn++) {
    const alone = await measure(scene, scene.assay, [one], 64);
    const { upload_id } = await previewFile(other.customer, file);
    const list = await createList(other.customer, upload_id);
    const beside = await measure(scene, scene.assay, [one], 64);
    const params = { list_id: list.id };
    wasRunning &&= (await other.customer.client.validations.getList({ params })).status === 'PENDING';
    await other.customer.client.validations.deleteList({ params });
    best = Math.max(best, beside.perSecond / alone.perSecond);
    print(`\nA list beside it: ${integer(beside.perSecond)} checks/s, ${integer(alone.perSecond)} without`);
  }
  return [
    { what: 'the list ran throughout', figure: String(wasRunning), isMet: wasRunning },
    atLeast('a list beside it: 0.8 of the rate', best, 0.8),
  ];
}

async function killBoth(scene: Scene): Promise<Demand[]> {
  const demands: Demand[] = [];
  for (const target of [scene.bare, scene.assay]) {
    const account = await newAccount(scene.product, credits);
    const faults = await checkThroughKills(target, account, {
      ...scene.size.kill,
      atOnce: 16,
      addressOf: nextAddress,
    });
    demands.push({
      what: `kill -9, ${target.name}: no check lost, doubled or charged twice`,
      figure: faults.join('; ') || 'none',
      isMet: faults.length === 0,
    });
  }
  return demands;
}
