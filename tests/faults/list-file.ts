import type { Verdict } from '@assay/contract';
import { createRandom } from '../support/random.ts';

export interface ListFile {
  readonly text: string;
  readonly rowCount: number;
  /** The expected count of each verdict; repeated and malformed rows do not count. */
  readonly expected: Readonly<Record<Verdict, number>>;
}

interface Kind {
  /** Per hundred rows. */
  readonly weight: number;
  readonly names: readonly [string, ...string[]];
  readonly domains: readonly [string, ...string[]];
  readonly verdict: Verdict;
}

const numbered = (name: string, count: number): [string, ...string[]] => [
  `${name}-0.test`,
  ...Array.from({ length: count - 1 }, (_, index) => `${name}-${index + 1}.test`),
];
const prompt = numbered('prompt', 8);
const plodding = numbered('plodding', 3);
const open = numbered('open', 3);
const greylisting = numbered('greylisting', 2);
/** Its owner does not want to be asked, whatever happens to those who might. */
export const decliningDomain = 'declining.test';

const kinds: readonly Kind[] = [
  { weight: 30, names: ['staff'], domains: prompt, verdict: 'VALID' },
  { weight: 14, names: ['former'], domains: prompt, verdict: 'INVALID' },
  { weight: 20, names: ['staff'], domains: plodding, verdict: 'VALID' },
  { weight: 9, names: ['staff', 'former'], domains: open, verdict: 'CATCH_ALL' },
  { weight: 4, names: ['full'], domains: prompt, verdict: 'UNKNOWN' },
  { weight: 8, names: ['staff'], domains: greylisting, verdict: 'VALID' },
  { weight: 2, names: ['staff'], domains: ['paced.test'], verdict: 'VALID' },
  { weight: 1, names: ['staff'], domains: [decliningDomain], verdict: 'UNKNOWN' },
  { weight: 3, names: ['staff'], domains: ['short-sessions.test'], verdict: 'VALID' },
];
const duplicateWeight = 6;
const malformedWeight = 3;
const malformed = ['nobody', 'two words@prompt-0.test', '@prompt-1.test', 'staff@', ''] as const;

/** Hosts of every behaviour. Deferrals end within seconds, so that a round ends. */
export const zone = [
  ...prompt.map((name) => `domain ${name} accepts staff*; full full*`),
  // One command at a time: these keep jobs running long enough to be killed.
  ...plodding.map((name) => `domain ${name} accepts staff*; lacks PIPELINING; limit connections 2`),
  ...open.map((name) => `domain ${name} catch-all`),
  ...greylisting.map((name) => `domain ${name} accepts staff*; greylist 1s`),
  `domain ${decliningDomain} accepts staff*; owner "v=assay1; never"`,
  'domain paced.test accepts staff*; limit recipients 20 per 500ms',
  'domain short-sessions.test accepts staff*; limit recipients 10 per connection',
].join('\n');

/** A realistic file: mixed, with repetitions in another case and cells without an address. A long last cell makes it a long file. */
export function writeListFile(seed: number, rowCountMin = 2_000, { cellLength = 4 } = {}): ListFile {
  const random = createRandom(seed);
  const rowCount = random.between(rowCountMin, rowCountMin * 1.2);
  const expected = { VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 };
  const written: string[] = [];
  const lines = ['name,email,city'];
  for (let row = 0; row < rowCount; row++) {
    lines.push(`"Person, ${row}",${nextAddress(row)},${'Bern'.padEnd(cellLength, '.')}`);
  }
  return { text: `${lines.join('\n')}\n`, rowCount, expected };

  function nextAddress(row: number): string {
    let drawn = random.share() * 100;
    for (const { weight, names, domains, verdict } of kinds) {
      drawn -= weight;
      if (drawn >= 0) continue;
      const email = `${random.oneOf(names)}.${row}@${random.oneOf(domains)}`;
      written.push(email);
      expected[verdict] += 1;
      return email;
    }
    const [first] = written;
    if (drawn < duplicateWeight && first !== undefined) {
      return (written[random.between(0, written.length - 1)] ?? first).toUpperCase();
    }
    return random.oneOf(malformed);
  }
}

/** The verdict that an address of the file deserves. */
export function verdictFor(email: string): Verdict {
  const [name = '', domain = ''] = email.toLowerCase().split('@');
  const kind = kinds.find(
    ({ names, domains }) => names.includes(name.split('.')[0] ?? '') && domains.includes(domain),
  );
  if (kind === undefined) throw new Error(`no row of the file has ${email}`);
  return kind.verdict;
}

const weights = kinds.reduce((sum, { weight }) => sum + weight, duplicateWeight + malformedWeight);
if (weights !== 100) throw new Error(`the weights of rows add up to ${weights} instead of 100`);
