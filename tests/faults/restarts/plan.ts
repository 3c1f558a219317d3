import { endings } from '../../support/product-process.ts';
import { createRandom } from '../../support/random.ts';
import { inTurn } from '../plan.ts';

/** What ends. */
export type Target = (typeof targets)[number] | 'npm start';
const targets = ['the API', 'all workers', 'the API and all workers', 'one of two workers'] as const;

/** How it ends, or stops for a while. */
type Interruption = (typeof interruptions)[number];
const interruptions = [...endings, 'SIGSTOP, then SIGCONT'] as const;

/** Tables that work of every kind writes. `list_rows` is read by downloads, `queue.job` is written by workers that close. */
const tables = {
  'the API': [
    'list_rows',
    'list_chunks',
    'holds',
    'idempotent_answers',
    'queue.job',
    'purchases',
    'single_validations',
    'validation_metrics',
    'outcomes',
  ],
  workers: [
    'queue.job',
    'job_runs',
    'list_results',
    'guesses',
    'webhook_deliveries',
    'ledger_entries',
    'single_validations',
    'top_up_orders',
    'holds',
    'validation_metrics',
    'list_rows',
    'outcome_matches',
  ],
} as const;

export interface PlannedInterruption {
  readonly target: Target;
  readonly how: Interruption;
  /** The second signal comes after so long. */
  readonly secondAfterMs: number;
  /** It comes when a process of the target waits for this table; at once without one. */
  readonly table: string | undefined;
}

export interface RestartPlan {
  readonly isSupervised: boolean;
  readonly interruptions: readonly PlannedInterruption[];
}

/** Interruptions of a round. */
export const turnCount = 2;
/** Of so many rounds, one runs on `npm start`. */
const supervisedEvery = 6;
/** Closing takes from a tenth of a second to a few seconds. */
const secondAfterMsMax = 1_500;

/** The interruptions of this seed's round. */
export function planRestarts(seed: number): RestartPlan {
  const random = createRandom(seed ^ 0x57a7);
  // Rounds of restarts have every second seed.
  const turn = Math.floor(seed / 2);
  const isSupervised = turn % supervisedEvery === 0;
  return {
    isSupervised,
    interruptions: Array.from({ length: turnCount }, (_, index) => {
      // Four targets and seven interruptions: each pair comes within 28 rounds.
      const place = turn * turnCount + index;
      const target = isSupervised ? 'npm start' : inTurn(targets, place);
      const places = tables[target === 'the API' ? target : 'workers'];
      return {
        target,
        how: inTurn(interruptions, place),
        secondAfterMs: random.between(0, secondAfterMsMax),
        table: random.share() < 0.2 ? undefined : random.oneOf([places[0], ...places.slice(1)]),
      };
    }),
  };
}
