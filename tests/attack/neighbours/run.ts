// npm run attack -- neighbours [--only NAME …] [--seconds N] [--rows N]: for each action, a stranger works while a neighbour measures.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { onShutdown } from '../../support/shutdown.ts';
import { actions, checkActions, findAction } from './actions.ts';
import type { Measured } from './measure.ts';
import type { Order } from './measure-process.ts';
import { lineOf, tableOf, writeTable } from './table.ts';

const resultsFolder = fileURLToPath(new URL('../../../test-results', import.meta.url));

/** Returns the exit code. */
export async function runNeighbours(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '20' },
      rows: { type: 'string', default: '100000' },
    },
  });
  const wanted = chosen(values.only);
  const [seconds, rows] = [Number(values.seconds), Number(values.rows)];
  if (!wanted || !(seconds > 0) || !(rows > 0)) {
    console.error(
      `--seconds and --rows take a number above 0, --only the name of an action or of an operation. Actions: ${actions.map(({ name }) => name).join(', ')}.`,
    );
    return 2;
  }
  const forgotten = checkActions();
  for (const fault of forgotten) console.log(fault);
  const measured = await measureAll(wanted, { seconds, rows });
  console.log(`\n${tableOf(measured)}`);
  console.log(`\n${await writeTable(resultsFolder, measured)}`);
  const missed = measured.filter(({ faults }) => faults.length > 0).map(({ name }) => name);
  console.log(
    `${measured.length - missed.length} met, ${missed.length} missed${missed.map((name) => ` ${name}`)}`,
  );
  return missed.length + forgotten.length === 0 ? 0 : 1;
}

function chosen(names: readonly string[]): readonly string[] | null {
  if (names.length === 0) return actions.map(({ name }) => name);
  return names.every(findAction) ? names : null;
}

const program = fileURLToPath(new URL('./measure-process.ts', import.meta.url));

/**
 * Each process measures until an action misses a demand, and the next one goes on with a new product: what is left over, such as a
 * process that exited, must not count against the next action.
 */
async function measureAll(names: readonly string[], order: Omit<Order, 'names'>): Promise<Measured[]> {
  const all: Measured[] = [];
  while (all.length < names.length) {
    const before = all.length;
    const child = fork(program, [JSON.stringify({ ...order, names: names.slice(before) } satisfies Order)]);
    const removeHandlers = onShutdown(async () => {
      child.disconnect();
      await once(child, 'exit');
    });
    child.on('message', (measured: Measured) => {
      all.push(measured);
      console.log(lineOf(measured));
    });
    const [code] = await once(child, 'exit');
    removeHandlers();
    if (all.length === before) throw new Error(`${names[before]} could not be measured (exit ${code}).`);
  }
  return all;
}
