// What one API call costs, beside a bare Fastify route with the same authentication and one SQL query.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeListFile } from '../bulk/list-file.ts';
import {
  type BenchProduct,
  createPausedList,
  judgeAllRows,
  previewFile,
  startBenchProduct,
} from '../bulk/product.ts';
import { pathOf } from '../harness/measure.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { load, type Rate, type Target } from '../requests/load.ts';

const turns = {
  large: { count: 5, requests: 2_000, warmUp: 4_000 },
  small: { count: 1, requests: 200, warmUp: 200 },
};
const bareName = 'bare route: same token, one query';
const shareMin = 0.5;
const listCount = 20;
const rowsPerList = 100;

/** Options: `--small`, to see the suite work: its figures say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const product = await startBenchProduct();
  const bare = await startBareApi(product);
  try {
    const targets = await describeTargets(product, bare);
    const rates = await measureInTurns(targets, options.includes('--small') ? turns.small : turns.large);
    return report(rates);
  } finally {
    await bare.stop();
    await product.close();
  }
}

async function startBareApi({ environment }: BenchProduct) {
  const child = fork(pathOf('../requests/bare-api.ts', import.meta.url), {
    env: { ...process.env, ...environment },
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    pid: child.pid as number,
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function describeTargets(
  product: BenchProduct,
  bare: { readonly url: string; readonly pid: number },
): Promise<Map<string, Target>> {
  const customer = await product.signUp(listCount * rowsPerList);
  const file = await writeListFile(product.folder, rowsPerList);
  let listId = '';
  for (let made = 0; made < listCount; made++) {
    const { upload_id } = await previewFile(customer, file);
    listId = (await createPausedList(product, customer, upload_id)).list.id;
  }
  await judgeAllRows(product, listId);

  const { token } = customer;
  const ours = (path: string): Target => ({ url: `${product.apiUrl}${path}`, pid: product.apiPid, token });
  return new Map([
    [bareName, { url: `${bare.url}/users/me`, pid: bare.pid, token }],
    ['GET users/me', ours('/users/me')],
    ['GET billing/me', ours('/billing/me')],
    [
      `GET validations/lists, ${listCount} lists`,
      ours(`/validations/lists?page_size=${listCount}&page_number=1`),
    ],
    ['GET a list', ours(`/validations/lists/${listId}`)],
    ['GET a list’s emails, 20 rows', ours(`/validations/lists/${listId}/emails?page_size=20&page_number=1`)],
  ]);
}

/** In alternation, so that all share what else the machine does meanwhile; the best turn of each counts. */
async function measureInTurns(
  targets: Map<string, Target>,
  { count, requests, warmUp }: (typeof turns)['large'],
): Promise<Map<string, Rate>> {
  // Code is compiled meanwhile.
  for (const target of targets.values()) await load(target, warmUp);
  const best = new Map<string, Rate>();
  for (let turn = 0; turn < count; turn++) {
    for (const [name, target] of targets) {
      const rate = await load(target, requests);
      if (rate.perSecond > (best.get(name)?.perSecond ?? 0)) best.set(name, rate);
    }
  }
  return best;
}

function report(rates: Map<string, Rate>): Demand[] {
  const bareRate = rates.get(bareName)?.perSecond ?? 0;
  const shareOf = (rate: Rate) => rate.perSecond / bareRate;
  const rows = [...rates].map(([name, rate]) => [
    name,
    integer(rate.perSecond),
    integer(rate.cpuMicroseconds),
    decimal(shareOf(rate)),
  ]);
  print(`\n${renderTable(['', 'requests/s', 'CPU µs', 'of bare'], rows)}`);
  return [...rates]
    .filter(([name]) => name !== bareName)
    .map(([name, rate]) => ({
      what: `${name}: half the rate of the bare route`,
      figure: decimal(shareOf(rate)),
      isMet: shareOf(rate) >= shareMin,
    }));
}
