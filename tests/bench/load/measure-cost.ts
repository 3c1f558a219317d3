import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Customer } from '../../support/customer.ts';
import { nowhere } from '../bulk/bare.ts';
import { writeListFile } from '../bulk/list-file.ts';
import {
  type BenchProduct,
  createList,
  previewFile,
  startBenchProduct,
  untilWritten,
} from '../bulk/product.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { difference, readUsage, type Usage } from './usage.ts';

export interface CostCounts {
  readonly rows: number;
  readonly singles: number;
}

interface Cost {
  readonly used: Usage;
  readonly count: number;
  /** To mail hosts. */
  readonly connections: number;
}

const singlesAtOnce = 16;
/** One call starts the check and waits for its verdict. */
const waitSeconds = 30;

/** What a million checks of lists, and of single addresses, cost the API, the worker and the database. */
export async function measureCost({ rows, singles }: CostCounts): Promise<Demand[]> {
  const product = await startBenchProduct();
  try {
    const workerPid = await product.startWorker();
    const customer = await product.signUp(2 * rows + 2 * singles);
    const measured = async (count: number, work: (count: number) => Promise<void>): Promise<Cost> => {
      // Code is compiled meanwhile.
      await work(Math.ceil(count / 10));
      const before = await readUsage(product.pool, { apiPid: product.apiPid, workerPid });
      await product.world.takeConduct();
      await work(count);
      const after = await readUsage(product.pool, { apiPid: product.apiPid, workerPid });
      const { total } = await product.world.takeConduct();
      return { used: difference(after, before), count, connections: total.connectionsTotal };
    };
    let nextSingle = 0;
    const ofLists = await measured(rows, (count) => verifyList(product, customer, count));
    const ofSingles = await measured(singles, async (count) => {
      const end = nextSingle + count;
      const verifyNext = async () => {
        while (nextSingle < end) {
          nextSingle += 1;
          const email_address = `staff.${nextSingle}@company-${nextSingle % 160}.test`;
          await customer.client.validations.startSingle({
            query: { wait: waitSeconds },
            body: { email_address },
          });
        }
      };
      await Promise.all(Array.from({ length: singlesAtOnce }, verifyNext));
    });
    const { rows: sessions } = await product.pool.query<{ name: string; count: string }>(
      `select application_name as name, count(*) from pg_stat_activity
       where datname = current_database() and application_name <> '' group by 1 order by 1`,
    );
    report(ofLists, ofSingles);
    print(`\nDatabase sessions: ${sessions.map(({ name, count }) => `${name} ${count}`).join(', ')}`);
    return [];
  } finally {
    await product.close();
  }
}

/** From the file to its export. */
async function verifyList(product: BenchProduct, customer: Customer, count: number): Promise<void> {
  const { upload_id } = await previewFile(customer, await writeListFile(product.folder, count));
  const list = await createList(customer, upload_id);
  await untilWritten(product, list);
  const { download_link } = await customer.client.validations.exportList({
    params: { list_id: list.id },
    query: { status: ['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] },
  });
  const { pathname, search } = new URL(download_link);
  const { body } = await fetch(new URL(pathname + search, product.apiUrl));
  if (body) await pipeline(Readable.fromWeb(body as never), nowhere());
}

function report(lists: Cost, singles: Cost): void {
  const perMillion = (value: (cost: Cost) => number, unit = 1) =>
    [lists, singles].map((cost) => {
      const amount = (value(cost) * 1_000_000) / cost.count / unit;
      return amount < 10 ? decimal(amount) : integer(amount);
    });
  print(
    `\nA million checks, from ${integer(lists.count)} of a list and ${integer(singles.count)} single ones\n`,
  );
  print(
    renderTable(
      ['', 'in lists', 'single'],
      [
        ['API, processor seconds', ...perMillion(({ used }) => used.apiCpuMs, 1_000)],
        ['worker, processor seconds', ...perMillion(({ used }) => used.workerCpuMs, 1_000)],
        ['database, processor seconds', ...perMillion(({ used }) => used.databaseCpuMs, 1_000)],
        ['API, MB read and written', ...perMillion(({ used }) => used.apiBytes, 1e6)],
        ['worker, MB read and written', ...perMillion(({ used }) => used.workerBytes, 1e6)],
        ['database log (WAL), MB', ...perMillion(({ used }) => used.walBytes, 1e6)],
        ['database, MB on disk', ...perMillion(({ used }) => used.storedBytes, 1e6)],
        ['rows inserted, thousands', ...perMillion(({ used }) => used.rowsInserted, 1_000)],
        ['rows updated, thousands', ...perMillion(({ used }) => used.rowsUpdated, 1_000)],
        ['transactions, thousands', ...perMillion(({ used }) => used.transactions, 1_000)],
        ['connections to mail hosts', ...perMillion(({ connections }) => connections)],
      ],
    ),
  );
}
