import { type Ending, endings } from '../support/product-process.ts';
import { createRandom, type Random } from '../support/random.ts';

/** When the API is killed. */
export type ApiMoment = (typeof apiMoments)[number];
const apiMoments = [
  'while the file arrives',
  'while rows are copied',
  'while pieces of work are copied',
  'while the hold is placed',
  'when the list is published',
] as const;

/** How the client repeats the creation. */
type Repetition = 'upload_id' | 'Idempotency-Key';

export type RunningFault =
  | (typeof workerFaults)[number]
  | (typeof databaseFaults)[number]
  | (typeof otherFaults)[number];
const workerFaults = [
  'all workers end in the middle of a job',
  'one of two workers ends in the middle of a job',
  'all workers end while they write results',
] as const;
const databaseFaults = ['PostgreSQL restarted', 'PostgreSQL crashed', 'connections cut'] as const;
/** The quick ones first: `npm test` runs the first seeds. */
const otherFaults = [
  'worker stopped by SIGSTOP',
  'poison jobs',
  'clock jumps',
  'slow database',
  'network cut',
  'disk full',
] as const;

/** What the customer does with the list while it runs. */
type Control = (typeof controls)[number];
const controls = ['left alone', 'paused and resumed', 'finished', 'deleted'] as const;

export interface RoundPlan {
  readonly apiDies: ApiMoment;
  readonly repeatsBy: Repetition;
  /** In order: each starts when this share of the list has results. */
  readonly faults: readonly { readonly atShare: number; readonly fault: RunningFault }[];
  /** How workers end. */
  readonly ending: Ending;
  /** After the first fault for a pause, after the last one for an end. */
  readonly control: Control;
  /** For what a fault itself leaves open, such as how long it lasts. */
  readonly random: Random;
}

/** The faults of this seed's round: always the API, workers, the database, and one of the others. */
export function planRound(seed: number): RoundPlan {
  // A different sequence than the one for the list's rows.
  const random = createRandom(seed ^ 0x5eed);
  // Rounds of lists have every second seed.
  const turn = Math.floor(seed / 2);
  const faults: { atShare: number; fault: RunningFault }[] = [
    { atShare: 0.05 + random.share() * 0.5, fault: random.oneOf(workerFaults) },
    { atShare: 0.05 + random.share() * 0.8, fault: random.oneOf(databaseFaults) },
    // Moves on after six rounds, so that each of these faults meets each ending and each control.
    { atShare: 0.1 + random.share() * 0.7, fault: inTurn(otherFaults, turn + Math.floor(turn / 6)) },
  ];
  const apiDies = random.oneOf(apiMoments);
  const repeatsBy = random.oneOf(['upload_id', 'Idempotency-Key'] as const);
  const control = inTurn(controls, turn);
  // A list that ends early has its faults early, so that there is something left to end.
  const scale = control === 'finished' || control === 'deleted' ? 0.6 : 1;
  return {
    apiDies,
    repeatsBy,
    faults: faults
      .map(({ atShare, fault }) => ({ atShare: atShare * scale, fault }))
      .sort((left, right) => left.atShare - right.atShare),
    // After twelve rounds the two lists would meet in the same pairs again, so this one moves on.
    ending: inTurn(endings, turn + Math.floor(turn / 12)),
    control,
    random,
  };
}

/** Not drawn, so that a few rounds have all of them. */
export const inTurn = <Item>(items: readonly [Item, ...Item[]], turn: number): Item =>
  items[turn % items.length] ?? items[0];
