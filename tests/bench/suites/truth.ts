// What verifiers say about the hosts that are hard to judge, beside the truth: ours and four from npm, in one table.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KnownTruth } from '@assay/mail-world';
import { installApart } from '../harness/install-apart.ts';
import { measure } from '../harness/measure.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { type Entry, ours, peers } from '../verifier/entries.ts';
import { startWorld } from '../verifier/world.ts';

interface Score {
  count: number;
  right: number;
  livingCalledDead: string[];
  deadCalledValid: string[];
  chargedUnknowable: string[];
  wrong: string[];
}

const rightResult = { living: 'VALID', dead: 'INVALID', open: 'CATCH_ALL', unknowable: 'UNKNOWN' } as const;
const rightShareMin = 0.99;

/** Options: `--without-peers` (they take a minute), `--wrong` (prints what each entry gets wrong). */
export async function run(options: string[]): Promise<Demand[]> {
  const withPeers = !options.includes('--without-peers');
  if (withPeers) installApart('peers');
  const folder = await mkdtemp(join(tmpdir(), 'bench-truth-'));
  try {
    const scores = new Map<string, Score>();
    for (const entry of [ours, ...(withPeers ? peers : [])]) {
      const score = await judgeEntry(entry, folder);
      scores.set(entry.name, score);
      if (options.includes('--wrong')) console.log(`\n${entry.name}\n${score.wrong.join('\n')}`);
    }
    printScores(scores);
    return demandsOf(scores.get(ours.name) as Score);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Every entry gets a world of its own, since hosts remember who asked before. */
async function judgeEntry({ variants }: Entry, folder: string): Promise<Score> {
  const world = await startWorld({ zone: 'truth', replyDelayMs: 0 });
  try {
    const listFile = join(folder, 'addresses.txt');
    await writeFile(listFile, world.truths.map(({ address }) => `${address}\n`).join(''));
    const results = new Map<string, string>();
    const addresses = { count: world.truths.length, listFile, planFile: '' };
    await measure({
      argv: variants[0]?.argv(addresses, world) ?? [],
      onLine(line) {
        if (!line.startsWith('{')) return;
        const { email, result } = JSON.parse(line);
        results.set(email, result);
      },
    });
    return scoreOf(world.truths, results);
  } finally {
    await world.stop();
  }
}

function scoreOf(truths: readonly KnownTruth[], results: ReadonlyMap<string, string>): Score {
  const score: Score = {
    count: truths.length,
    right: 0,
    livingCalledDead: [],
    deadCalledValid: [],
    chargedUnknowable: [],
    wrong: [],
  };
  for (const { address, truth, isFickle } of truths) {
    const result = results.get(address) ?? 'none';
    if (result === rightResult[truth] || (isFickle && result === 'UNKNOWN')) {
      score.right += 1;
      continue;
    }
    score.wrong.push(`${address}: ${truth}, called ${result}`);
    if (truth === 'living' && result === 'INVALID') score.livingCalledDead.push(address);
    if (truth === 'dead' && result === 'VALID') score.deadCalledValid.push(address);
    if (truth === 'unknowable' && result !== 'UNKNOWN') score.chargedUnknowable.push(address);
  }
  return score;
}

function printScores(scores: Map<string, Score>): void {
  const rows = [...scores].map(([name, score]) => [
    name,
    integer(score.count),
    `${decimal((100 * score.right) / score.count, 1)}%`,
    String(score.livingCalledDead.length),
    String(score.deadCalledValid.length),
    String(score.chargedUnknowable.length),
  ]);
  const head = [
    '',
    'addresses',
    'right',
    'living called dead',
    'dead called valid',
    'charges for the unknowable',
  ];
  print(`\n${renderTable(head, rows)}`);
}

function demandsOf({ count, right, ...harm }: Score): Demand[] {
  const none = (what: string, addresses: string[]): Demand => ({
    what,
    figure: addresses.length === 0 ? '0' : `${addresses.length}: ${addresses.slice(0, 5).join(', ')}`,
    isMet: addresses.length === 0,
  });
  return [
    {
      what: 'truth: at least 99% right',
      figure: `${decimal((100 * right) / count, 1)}%`,
      isMet: right / count >= rightShareMin,
    },
    none('truth: no living mailbox called dead', harm.livingCalledDead),
    none('truth: no dead mailbox called valid', harm.deadCalledValid),
    none('truth: no charge for the unknowable', harm.chargedUnknowable),
  ];
}
