// The product under the load of many customers, sockets and workers on this machine.
import { parseArgs } from 'node:util';
import { startBenchProduct } from '../bulk/product.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { compareWorkers } from '../load/compare-workers.ts';
import { prepareMix } from '../load/customer-mix.ts';
import { measureCost } from '../load/measure-cost.ts';
import { openSockets } from '../load/open-sockets.ts';
import { type Answer, isAccepted, offer, quantile, saturate, type Traffic } from '../load/traffic.ts';

const sizes = {
  large: { seconds: 20, sockets: 10_000, windowSeconds: 20, cost: { rows: 100_000, singles: 4_000 } },
  small: { seconds: 3, sockets: 500, windowSeconds: 4, cost: { rows: 5_000, singles: 200 } },
};
type Size = (typeof sizes)['large'];

const parts = {
  mix: measureMix,
  workers: ({ windowSeconds }: Size) => compareWorkers(windowSeconds),
  sockets: ({ sockets }: Size) => openSockets(sockets),
  overload: measureOverload,
  cost: ({ cost }: Size) => measureCost(cost),
};
type PartName = keyof typeof parts;

/** Options: `--only PART`, which may be repeated; `--small`, to see the suite work: its figures say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const { values } = parseArgs({
    args: options,
    options: { only: { type: 'string', multiple: true }, small: { type: 'boolean', default: false } },
  });
  const names = values.only ?? Object.keys(parts);
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined) {
    throw new Error(`There is no part '${unknown}' of this suite: ${Object.keys(parts).join(', ')}.`);
  }
  const demands: Demand[] = [];
  for (const name of names as PartName[]) {
    demands.push(...(await parts[name](values.small ? sizes.small : sizes.large)));
  }
  return demands;
}

const busyConnections = 64;
/** As many customers' browsers and programs as may call at the same moment. */
const manyConnections = 1_000;

async function withMix<Result>(
  work: (traffic: Omit<Traffic, 'seconds' | 'connectionCount'>) => Promise<Result>,
) {
  const product = await startBenchProduct();
  try {
    return await work({ url: product.apiUrl, nextCall: await prepareMix(product) });
  } finally {
    await product.close();
  }
}

/** How many calls per second are answered when one is under way on each of many connections. */
async function findCapacity(
  traffic: Omit<Traffic, 'seconds' | 'connectionCount'>,
  seconds: number,
): Promise<{ perSecond: number; answers: Answer[] }> {
  // Code is compiled meanwhile.
  await saturate({ ...traffic, connectionCount: busyConnections, seconds: seconds / 2 });
  const answers = await saturate({ ...traffic, connectionCount: busyConnections, seconds });
  return { perSecond: answers.filter(isAccepted).length / seconds, answers };
}

/** Latencies of each kind of call at half of what one API process can do. */
async function measureMix({ seconds }: Size): Promise<Demand[]> {
  return withMix(async (traffic) => {
    const { perSecond } = await findCapacity(traffic, seconds / 2);
    const answers = await offer({ ...traffic, connectionCount: manyConnections, seconds }, perSecond / 2);
    const names = [...new Set(answers.map(({ name }) => name))].sort();
    print(`\nA mix of customers' calls, ${integer(perSecond / 2)} per second, half the capacity\n`);
    print(
      renderTable(
        ['', 'calls', 'p50 ms', 'p99 ms'],
        [
          ...names.map((name) =>
            latencies(
              name,
              answers.filter((answer) => answer.name === name),
            ),
          ),
          latencies('all', answers),
        ],
      ),
    );
    const refused = answers.filter((answer) => !isAccepted(answer));
    return [
      {
        what: 'mix: every call is answered 2xx',
        figure: `${refused.length} others`,
        isMet: refused.length === 0,
      },
    ];
  });
}

const latencies = (name: string, answers: Answer[]): string[] => [
  name,
  integer(answers.length),
  decimal(quantile(answers, 0.5), 1),
  decimal(quantile(answers, 0.99), 1),
];

/** Twice as many calls as it can do: it must refuse early and keep serving what it accepts. */
async function measureOverload({ seconds }: Size): Promise<Demand[]> {
  return withMix(async (traffic) => {
    const full = await findCapacity(traffic, seconds / 2);
    const offered = full.perSecond * 2;
    const answers = await offer({ ...traffic, connectionCount: manyConnections, seconds }, offered);
    const accepted = answers.filter(isAccepted);
    const shed = answers.filter(({ status }) => status === 429 || status === 503);
    const other = answers.length - accepted.length - shed.length;
    print(`\nTwice the capacity of ${integer(full.perSecond)} calls per second\n`);
    print(
      renderTable(
        ['', 'calls', 'p50 ms', 'p99 ms'],
        [
          latencies('at capacity', full.answers),
          latencies('accepted', accepted),
          latencies('refused with 429 or 503', shed),
        ],
      ),
    );
    const slowdown = quantile(accepted, 0.99) / quantile(full.answers, 0.99);
    const kept = accepted.length / seconds / full.perSecond;
    const advised = shed.filter(({ hasRetryAfter }) => hasRetryAfter).length;
    return [
      { what: 'overload: other answers than 2xx, 429 and 503', figure: integer(other), isMet: other === 0 },
      {
        what: 'overload: refusals with Retry-After',
        figure: `${integer(advised)} of ${integer(shed.length)}`,
        isMet: shed.length > 0 && advised === shed.length,
      },
      {
        what: 'overload: p99 of accepted calls, at most 3 times that at capacity',
        figure: decimal(slowdown),
        isMet: slowdown <= 3,
      },
      {
        what: 'overload: accepted calls per second, at least half the capacity',
        figure: decimal(kept),
        isMet: kept >= 0.5,
      },
    ];
  });
}
