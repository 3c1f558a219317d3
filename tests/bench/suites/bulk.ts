// Lists through the real API and worker, each figure beside the bare library, database or engine in the same run.
import { randomUUID } from 'node:crypto';
import { copyInBare, copyOutBare, parseBare, timed } from '../bulk/bare.ts';
import { writeListFile } from '../bulk/list-file.ts';
import {
  type BenchProduct,
  createList,
  createPausedList,
  exportList,
  judgeAllRows,
  previewFile,
  startBenchProduct,
  untilComplete,
  untilWritten,
  verifySingle,
} from '../bulk/product.ts';
import { forgetPeak, readMemory } from '../bulk/resident-memory.ts';
import { print } from '../harness/print.ts';
import { atLeast, atMost, type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { ours as engine, runEntry, writeAddresses } from '../verifier/entries.ts';

const counts = {
  large: { file: 1_000_000, endToEnd: 20_000, background: 100_000, singles: 11, shortLists: 5 },
  small: { file: 50_000, endToEnd: 5_000, background: 20_000, singles: 5, shortLists: 3 },
};
type Counts = (typeof counts)['large'];

const parts = { file: compareFile, 'end-to-end': compareEndToEnd, fairness: compareFairness };
type PartName = keyof typeof parts;

/** Options: the parts to run, all by default; `--small` to try the suite, whose figures then say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const asked = options.includes('--small') ? counts.small : counts.large;
  const names = options.filter((option) => option !== '--small');
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined) {
    throw new Error(`There is no part '${unknown}' of this suite: ${Object.keys(parts).join(', ')}.`);
  }
  const demands: Demand[] = [];
  for (const name of (names.length > 0 ? names : Object.keys(parts)) as PartName[]) {
    demands.push(...(await runPart(parts[name], asked)));
  }
  return demands;
}

/** Each part has its own product, because a database that still cleans up after a million rows is not idle. */
async function runPart(part: (typeof parts)[PartName], asked: Counts): Promise<Demand[]> {
  const product = await startBenchProduct();
  try {
    return await part(product, asked);
  } finally {
    await product.close();
  }
}

// Short runs are easily disturbed, so both sides run several times in alternation, and the best counts. The
// API and the worker keep running: their first file or list also waits for code to be compiled.
const turnCount = 5;

const seconds = (ms: number): string => decimal(ms / 1_000);

async function compareFile(product: BenchProduct, { file: rowCount }: Counts): Promise<Demand[]> {
  const { pool, folder, apiPid } = product;
  const path = await writeListFile(folder, rowCount);
  const customer = await product.signUp(rowCount);
  const { nowMB: idleMB } = await readMemory(apiPid);
  await forgetPeak(apiPid);

  let parseMs = Number.POSITIVE_INFINITY;
  let previewMs = Number.POSITIVE_INFINITY;
  let uploadId = '';
  for (let turn = 0; turn < turnCount; turn++) {
    parseMs = Math.min(parseMs, await parseBare(path));
    const ms = await timed(async () => {
      uploadId = (await previewFile(customer, path)).upload_id;
    });
    previewMs = Math.min(previewMs, ms);
  }
  await product.startWorker();
  let listId = '';
  let answerMs = 0;
  const createMs = await timed(async () => {
    const created = await createPausedList(product, customer, uploadId);
    listId = created.list.id;
    answerMs = created.answerMs;
  });
  const copyInMs = await copyInBare(pool, listId, folder);

  await judgeAllRows(product, listId);
  const copyOutMs = await copyOutBare(pool, listId);
  const exportMs = await timed(() => exportList(product, customer, listId));
  const { peakMB } = await readMemory(apiPid);
  await customer.client.validations.deleteList({ params: { list_id: listId } });

  print(`\n${integer(rowCount)} rows\n`);
  print(
    renderTable(
      ['', 'ours s', 'bare s', 'ours / bare'],
      [
        ['preview, CSV parser', seconds(previewMs), seconds(parseMs), decimal(previewMs / parseMs)],
        ['creation, COPY FROM', seconds(createMs), seconds(copyInMs), decimal(createMs / copyInMs)],
        ['export, COPY TO', seconds(exportMs), seconds(copyOutMs), decimal(exportMs / copyOutMs)],
      ],
    ),
  );
  print(`\nThe call that creates the list answers after ${seconds(answerMs)} s.`);
  print(`API: ${integer(idleMB)} MB idle, ${integer(peakMB)} MB at most`);
  return [
    atLeast('preview: half the rate of the bare parser', parseMs / previewMs, 0.5),
    atMost('creation, until the rows are there: 3 times a bare COPY', createMs / copyInMs, 3),
    atMost('creation, until the call answers: 2 s', answerMs / 1_000, 2),
    atLeast('export: half the rate of a bare COPY TO', copyOutMs / exportMs, 0.5),
    {
      what: 'memory of the API: within 200 MB of idle',
      figure: `+ ${integer(peakMB - idleMB)} MB`,
      isMet: peakMB - idleMB <= 200,
    },
  ];
}

async function compareEndToEnd(product: BenchProduct, { endToEnd: count }: Counts): Promise<Demand[]> {
  await product.startWorker();
  const { world, folder } = product;
  const customer = await product.signUp(count * turnCount);
  const file = await writeListFile(folder, count);
  const addresses = await writeAddresses(folder, count, world);
  let bareRate = 0;
  let oursRate = 0;
  for (let turn = 0; turn < turnCount; turn++) {
    bareRate = Math.max(bareRate, (await runEntry(engine, addresses, world)).rightPerSecond);
    const { upload_id } = await previewFile(customer, file);
    const ms = await timed(async () => untilWritten(product, await createList(customer, upload_id)));
    oursRate = Math.max(oursRate, (count / ms) * 1_000);
  }

  print(`\n${integer(count)} addresses end to end\n`);
  print(
    renderTable(
      ['', 'addresses/s'],
      [
        ['a list, from creation to COMPLETE', integer(oursRate)],
        ['the bare engine, from its command to its end', integer(bareRate)],
      ],
    ),
  );
  return [atLeast('end to end: 70% of the rate of the bare engine', oursRate / bareRate, 0.7)];
}

async function compareFairness(product: BenchProduct, asked: Counts): Promise<Demand[]> {
  await product.startWorker();
  const large = await product.signUp(asked.background);
  const other = await product.signUp(asked.background);
  const { upload_id } = await previewFile(large, await writeListFile(product.folder, asked.background));
  const small = await writeListFile(product.folder, 10);

  const singles = () =>
    medianOf(asked.singles, () => verifySingle(other, `staff.${randomUUID().slice(0, 8)}@company-3.test`));
  const shortLists = () =>
    medianOf(asked.shortLists, async () => {
      const preview = await previewFile(other, small);
      await untilComplete(other, await createList(other, preview.upload_id));
    });
  const idle = { single: await singles(), list: await shortLists() };
  const background = await createList(large, upload_id);
  const busy = { single: await singles(), list: await shortLists() };
  const { status } = await large.client.validations.getList({ params: { list_id: background.id } });
  await large.client.validations.deleteList({ params: { list_id: background.id } });

  print(`\nwhile a list of ${integer(asked.background)} runs, medians\n`);
  print(
    renderTable(
      ['', 'busy ms', 'idle ms', 'busy / idle'],
      [
        ['a single check', integer(busy.single), integer(idle.single), decimal(busy.single / idle.single)],
        ['a list of ten', integer(busy.list), integer(idle.list), decimal(busy.list / idle.list)],
      ],
    ),
  );
  return [
    { what: 'the large list ran throughout', figure: status, isMet: status === 'PENDING' },
    atMost('a single check beside it: 1.5 times idle', busy.single / idle.single, 1.5),
    atMost('a list of ten beside it: 1.5 times idle', busy.list / idle.list, 1.5),
  ];
}

async function medianOf(timesCount: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < timesCount; time++) times.push(await timed(work));
  return times.sort((left, right) => left - right)[Math.floor(timesCount / 2)] ?? 0;
}
