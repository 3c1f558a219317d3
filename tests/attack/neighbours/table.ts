import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blockMsMax, type Measured, p95MsMin, slowerMax, type Times } from './measure.ts';

const head = [
  'action',
  'users/me p95, control → abuse',
  'ratio',
  'check p95, control → abuse',
  'ratio',
  'refused',
  'failed',
  'longest block: control, API, worker',
  'machine',
  'demands',
];

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const change = ({ controlMs, abuseMs }: Times): string => `${ms(controlMs)} → ${ms(abuseMs)}`;

function cellsOf({ name, times, refusals, failures, blockMs, machineMs, faults }: Measured): string[] {
  return [
    name,
    change(times.me),
    times.me.ratio.toFixed(1),
    change(times.check),
    times.check.ratio.toFixed(1),
    String(refusals),
    String(failures),
    [blockMs.control, blockMs.api, blockMs.worker].map(ms).join(', '),
    ms(machineMs),
    faults.length === 0 ? 'met' : 'MISSED',
  ];
}

/** One line for the terminal. */
export function lineOf(measured: Measured): string {
  const { name, what, times, refusals, failures, blockMs, machineMs, answers, faults } = measured;
  const counted = Object.entries(answers).map(
    ([status, count]) => `${count} × ${status === '0' ? 'none' : status}`,
  );
  const figures =
    `users/me ${change(times.me)} (${times.me.ratio.toFixed(1)}), check ${change(times.check)} (${times.check.ratio.toFixed(1)}), ` +
    `${refusals} refused, ${failures} failed, longest block ${ms(blockMs.control)} in control, API ${ms(blockMs.api)}, worker ${ms(blockMs.worker)}, beyond the machine's own ${ms(machineMs)}`;
  const told = `${faults.length === 0 ? 'met   ' : 'MISSED'}  ${name} (${what}): ${figures}; the stranger got ${counted.join(', ')}`;
  return [told, ...faults.map((fault) => `        ${fault}`)].join('\n');
}

export function tableOf(rows: readonly Measured[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map(cellsOf)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const demands = `Demands: p95 at most ${slowerMax} times the control (at least ${p95MsMin.me} ms for users/me and ${p95MsMin.check} ms for a check), no refusal, no failure, no block above ${blockMsMax} ms beyond what the machine itself stood still in that phase (the last figure is its longest standstill).`;
  return [...lines, '', demands].join('\n');
}

/** Writes the table and the figures. Returns the path of the table. */
export async function writeTable(folder: string, rows: readonly Measured[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'neighbours.md');
  await writeFile(path, `${tableOf(rows)}\n`);
  await writeFile(join(folder, 'neighbours.json'), `${JSON.stringify(rows, null, 2)}\n`);
  return path;
}
