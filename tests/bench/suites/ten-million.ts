// One list of ten million rows beside ten lists of a million: its time from the upload to the export, memory, pages while it runs, deletion.
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { ValidationList } from '@assay/contract';
import { dropPartitions } from '../../../apps/server/src/features/verification/rows/large-lists.store.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/database.ts';
import type { Customer } from '../../support/customer.ts';
import { timed } from '../bulk/bare.ts';
import { writeListFile } from '../bulk/list-file.ts';
import { timePages, untilBegun } from '../bulk/list-pages.ts';
import {
  type BenchProduct,
  createList,
  exportList,
  previewFile,
  startBenchProduct,
  untilWritten,
} from '../bulk/product.ts';
import { forgetPeak, readMemory } from '../bulk/resident-memory.ts';
import { print } from '../harness/print.ts';
import { atMost, type Demand, decimal, integer, renderTable } from '../harness/report.ts';

const sizes = {
  large: { rows: 1_000_000, pageTurns: 5, freeGB: 30 },
  small: { rows: 20_000, pageTurns: 1, freeGB: 1 },
};
/** As many lists as one large list has parts. */
const parts = 10;

const patienceMs = 7_200_000;

/** Options: `--small` to try the suite, whose figures then say little. The whole takes about forty minutes and 12 GB. */
export async function run(options: string[]): Promise<Demand[]> {
  const { rows, pageTurns, freeGB } = options.includes('--small') ? sizes.small : sizes.large;
  await requireRoom(freeGB);
  const settings = {
    UPLOAD_ROWS_MAX: String(rows * parts),
    UPLOAD_BYTES_MAX: '2000000000',
    UPLOAD_STORE_BYTES: '20000000000',
  };
  const product = await startBenchProduct(undefined, { settings });
  try {
    const workerPid = await product.startWorker();
    const pids = [product.apiPid, workerPid];
    const customer = await product.signUp(2 * rows * parts);

    const shortFile = await writeListFile(product.folder, rows);
    for (const pid of pids) await forgetPeak(pid);
    const shortMs = await timed(async () => {
      for (let number = 0; number < parts; number++) {
        const list = await verified(product, customer, shortFile);
        await exportList(product, customer, list.id);
      }
    });
    const shortPeaks = await peaksOf(pids);

    const longFile = await writeListFile(product.folder, rows * parts);
    for (const pid of pids) await forgetPeak(pid);
    let pages: Awaited<ReturnType<typeof timePages>> | undefined;
    let long: ValidationList | undefined;
    const longMs = await timed(async () => {
      long = await verified(product, customer, longFile, async (list) => {
        await untilBegun(product, list);
        pages = await timePages(customer, list.id, pageTurns);
      });
      await exportList(product, customer, long.id);
    });
    const longPeaks = await peaksOf(pids);
    const deletion = await timeDeletion(product, customer, long as ValidationList);

    const { table = [], p95 = Number.NaN, summaryP95 = Number.NaN } = pages ?? {};
    print(`\n${integer(rows * parts)} rows, from upload to export\n`);
    print(
      renderTable(
        ['', 's', 'API MB', 'worker MB'],
        [
          [`${parts} lists`, decimal(shortMs / 1_000), ...shortPeaks.map(integer)],
          ['one list', decimal(longMs / 1_000), ...longPeaks.map(integer)],
        ],
      ),
    );
    print('');
    print(renderTable(['pages of the one list while it runs', 'median ms', 'p95 ms'], table));
    const [apiMore = 0, workerMore = 0] = longPeaks.map((peak, at) => peak / (shortPeaks[at] ?? peak));
    return [
      atMost('one list: 1.15 times the time of ten', longMs / shortMs, 1.15),
      atMost('memory of the API: 1.15 times that with a million', apiMore, 1.15),
      atMost('memory of the worker: 1.15 times that with a million', workerMore, 1.15),
      atMost('pages of all kinds, p95: 300 ms', p95, 300),
      atMost('the summary, p95: 300 ms', summaryP95, 300),
      atMost('deletion, for the customer: 1 s', deletion.answerMs / 1_000, 1),
      atMost('deletion, work of the database: 10 s', deletion.dropMs / 1_000, 10),
    ];
  } finally {
    await product.close();
  }
}

/** A full disk ends the database of whoever shares it. */
async function requireRoom(wantedGB: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const freeGB = (bavail * bsize) / 1e9;
  if (freeGB < wantedGB)
    throw new Error(
      `This needs ${wantedGB} GB of free space in ${tmpdir()}, which has ${decimal(freeGB, 1)} GB.`,
    );
}

const peaksOf = (pids: readonly number[]): Promise<number[]> =>
  Promise.all(pids.map(async (pid) => (await readMemory(pid)).peakMB));

/** Uploads a file and waits for the verdicts of its rows. */
async function verified(
  product: BenchProduct,
  customer: Customer,
  file: string,
  meanwhile: (list: ValidationList) => Promise<void> = async () => undefined,
): Promise<ValidationList> {
  const { upload_id } = await previewFile(customer, file);
  const list = await createList(customer, upload_id);
  await meanwhile(list);
  await untilWritten(product, list, patienceMs);
  return list;
}

/** The answer to the customer, and the work of the database that a worker does afterwards. */
async function timeDeletion({ environment }: BenchProduct, { client }: Customer, { id }: ValidationList) {
  const answerMs = await timed(() => client.validations.deleteList({ params: { list_id: id } }));
  const database = openDatabase({
    url: environment.DATABASE_URL ?? '',
    poolSize: 1,
    applicationName: 'bench',
    onIdleError: () => undefined,
  });
  try {
    return { answerMs, dropMs: await timed(() => dropPartitions(database.db, new AbortController().signal)) };
  } finally {
    await database.close();
  }
}
