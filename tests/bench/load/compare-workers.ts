import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@assay/postgres/testing/free-port';
import { type ProductProcess, startProcess } from '../../support/product-process.ts';
import { Deadline } from '../../support/until.ts';
import { type BenchProduct, startBenchProduct } from '../bulk/product.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { slowAddresses } from '../verifier/scenario.ts';

/** A worker takes up to 20,000 addresses of long lists at a time, and none may run out of work. */
const rowsPerWorker = 25_000;
const replyDelayMs = 150;
const workerCounts = [1, 2, 4] as const;
/** Results that show that every worker is at full speed. */
const resultsFirst = 500;

/** Results per second of one, two and four workers, each with its own egress address, while mail hosts are the limit. */
export async function compareWorkers(windowSeconds: number): Promise<Demand[]> {
  const rates = new Map<number, number>();
  for (const count of workerCounts) {
    const product = await startBenchProduct({ zone: 'slow', replyDelayMs });
    try {
      rates.set(count, await measureRate(product, count, windowSeconds));
    } finally {
      await product.close();
    }
  }
  const ratioOf = (count: number) => (rates.get(count) ?? 0) / (rates.get(1) ?? 0);
  print(`\nWorkers with an egress address each; every reply of a mail host takes ${replyDelayMs} ms\n`);
  print(
    renderTable(
      ['workers', 'results/s', 'of one'],
      [...rates].map(([count, rate]) => [String(count), integer(rate), decimal(ratioOf(count))]),
    ),
  );
  return [
    { what: 'two workers: 1.7 times one', figure: decimal(ratioOf(2)), isMet: ratioOf(2) >= 1.7 },
    { what: 'four workers: 3 times one', figure: decimal(ratioOf(4)), isMet: ratioOf(4) >= 3 },
  ];
}

async function measureRate(product: BenchProduct, count: number, windowSeconds: number): Promise<number> {
  const rowCount = count * rowsPerWorker;
  const customer = await product.signUp(rowCount);
  const workers: ProductProcess[] = [];
  try {
    for (let number = 1; number <= count; number++) workers.push(await startWorker(product, number));
    const { id } = await customer.client.validations.createListFromEmails({
      body: { emails: slowAddresses(rowCount) },
    });
    const countResults = async () => {
      const { rows } = await product.pool.query<{ count: string }>(
        'select count(*) from list_results where list_id = $1',
        [id],
      );
      return Number(rows[0]?.count);
    };
    await new Deadline(120_000).until(
      'workers are at full speed',
      async () => (await countResults()) >= resultsFirst * count,
      200,
    );
    const startedAt = performance.now();
    const before = await countResults();
    await pause(windowSeconds * 1_000);
    const after = await countResults();
    return ((after - before) * 1_000) / (performance.now() - startedAt);
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function startWorker({ environment }: BenchProduct, number: number): Promise<ProductProcess> {
  const name = `egress-${number}`;
  return startProcess('worker', {
    ...environment,
    WORKER_METRICS_PORT: String(await freePort()),
    ASSAY_EGRESS: name,
    ASSAY_EGRESSES: `${name}=127.0.0.${100 + number};helo=${name}.assay.test`,
  });
}
