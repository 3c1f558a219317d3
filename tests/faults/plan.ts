import { createRandom } from '../support/random.ts';

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
  | 'worker killed in the middle of a job'
  | 'worker killed while it writes results'
  | 'PostgreSQL restarted'
  | 'PostgreSQL crashed'
  | 'connections cut';

/** What the customer does with the list while it runs. */
type Control = (typeof controls)[number];
const controls = ['left alone', 'paused and resumed', 'finished', 'deleted'] as const;

export interface RoundPlan {
  readonly apiDies: ApiMoment;
  readonly repeatsBy: Repetition;
  /** In order: each starts when this share of the list has results. */
  readonly faults: readonly { readonly atShare: number; readonly fault: RunningFault }[];
  /** After the first fault for a pause, after the last one for an end. */
  readonly control: Control;
}

/** The faults of this seed's round: always the API, a worker and the database, once or more. */
export function planRound(seed: number): RoundPlan {
  // A different sequence than the one for the list's rows.
  const random = createRandom(seed ^ 0x5eed);
  const faults: { atShare: number; fault: RunningFault }[] = [
    {
      atShare: 0.05 + random.share() * 0.5,
      fault: random.oneOf(['worker killed in the middle of a job', 'worker killed while it writes results']),
    },
    {
      atShare: 0.05 + random.share() * 0.8,
      fault: random.oneOf(['PostgreSQL restarted', 'PostgreSQL crashed', 'connections cut']),
    },
  ];
  if (random.share() < 0.5) {
    faults.push({ atShare: 0.5 + random.share() * 0.4, fault: 'worker killed in the middle of a job' });
  }
  const apiDies = random.oneOf(apiMoments);
  const repeatsBy = random.oneOf(['upload_id', 'Idempotency-Key'] as const);
  // In turn, so that a few rounds have all of them.
  const control = controls[seed % controls.length] ?? 'left alone';
  // A list that ends early has its faults early, so that there is something left to end.
  const scale = control === 'finished' || control === 'deleted' ? 0.6 : 1;
  return {
    apiDies,
    repeatsBy,
    faults: faults
      .map(({ atShare, fault }) => ({ atShare: atShare * scale, fault }))
      .sort((left, right) => left.atShare - right.atShare),
    control,
  };
}
