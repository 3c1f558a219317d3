// Our reader of CSV beside papaparse: a million rows, and texts that try to cost much more than their length.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Order, Reading } from '../csv/reading-thread.ts';
import { isHostile, texts } from '../csv/texts.ts';
import { print } from '../harness/print.ts';
import { atMost, type Demand, integer, renderTable } from '../harness/report.ts';

/** Of processor time: a text that takes more is given up. */
const givenUpAfterMs = 20_000;
const pollMs = 250;
const resourceLimits = { maxOldGenerationSizeMb: 2_000 };
/** Of texts without harm, the best counts. */
const turns = 3;
const readers = ['assay', 'papaparse'] as const;

/** Options: `--small`, to see the suite work: it leaves out what is long. */
export async function run(options: string[]): Promise<Demand[]> {
  const names = Object.keys(texts).filter((name) => !options.includes('--small') || name.startsWith('1 MB'));
  const figures = new Map<string, Figure[]>();
  for (const name of names) {
    const found: Figure[] = [];
    for (const reader of readers) found.push(await measure({ reader, name }));
    figures.set(name, found);
  }
  print(
    renderTable(
      ['processor time', ...readers],
      [...figures].map(([name, found]) => [name, ...found.map(textOf)]),
    ),
  );
  return [...figures].flatMap(([name, [ours, theirs]]) =>
    ours && theirs ? demandsOn(name, { ours, theirs, shorter: figures.get(`1${name.slice(3)}`)?.[0] }) : [],
  );
}

/** A reading, or why there is none. */
type Figure = Reading | 'given up' | 'out of memory';

async function measure(order: Order): Promise<Figure> {
  if (isHostile(order.name)) return measureOnce(order);
  const found: Figure[] = [];
  for (let turn = 0; turn < turns; turn++) found.push(await measureOnce(order));
  return found.reduce((best, one) => (msOf(one) < msOf(best) ? one : best));
}

async function measureOnce(order: Order): Promise<Figure> {
  const thread = new Worker(new URL('../csv/reading-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits,
  });
  try {
    const begun = await next(thread);
    if (begun === 'out of memory') return begun;
    const late = Promise.withResolvers<Figure>();
    const giveUpInTime = async () => {
      const { user, system } = await thread.cpuUsage();
      if ((user + system) / 1_000 > givenUpAfterMs) late.resolve('given up');
    };
    // A thread that has ended tells no time any more.
    const timer = setInterval(() => void giveUpInTime().catch(() => undefined), pollMs);
    const figure = await Promise.race([next(thread), late.promise]);
    clearInterval(timer);
    return figure;
  } finally {
    await thread.terminate();
  }
}

async function next(thread: Worker): Promise<Figure> {
  return once(thread, 'message').then(
    ([reading]) => reading as Figure,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'out of memory';
      throw error;
    },
  );
}

const msOf = (figure: Figure): number =>
  typeof figure === 'string' ? Number.POSITIVE_INFINITY : figure.cpuMs;

function textOf(figure: Figure): string {
  if (figure === 'given up') return `given up after ${givenUpAfterMs / 1_000} s`;
  if (figure === 'out of memory') return figure;
  return `${integer(figure.cpuMs)} ms${figure.isRefused ? ', refused' : ''}`;
}

interface Compared {
  readonly ours: Figure;
  readonly theirs: Figure;
  /** Ours of the same kind of text with a hundredth of its length. */
  readonly shorter: Figure | undefined;
}

function demandsOn(name: string, { ours, theirs, shorter }: Compared): Demand[] {
  if (!isHostile(name)) return [atMost(`${name}: times of papaparse`, msOf(ours) / msOf(theirs), 1)];
  if (shorter === undefined || !name.startsWith('100 MB')) return [];
  // Code that has run for a second is faster, and thousandths of a second are noise.
  return [atMost(`${name}: times of 1 MB`, msOf(ours) / Math.max(10, msOf(shorter)), 150)];
}
