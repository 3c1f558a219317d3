import { GUESS_OUTCOMES, type Guess, type GuessList, type GuessOutcome, type Verdict } from '@assay/contract';
import type { Category } from '../../shared/list-summary/categories.ts';

/** How an outcome is shown: under the mark of the verdict that it rests on, with a word of its own. */
export const outcomeLooks: Readonly<Record<GuessOutcome, { verdict: Verdict; label: string }>> = {
  FOUND: { verdict: 'VALID', label: 'Found' },
  CATCH_ALL: { verdict: 'CATCH_ALL', label: 'Catch all' },
  NOT_FOUND: { verdict: 'INVALID', label: 'Not found' },
  UNKNOWN: { verdict: 'UNKNOWN', label: 'Unknown' },
};

const outcomesByVerdict = new Map(GUESS_OUTCOMES.map((outcome) => [outcomeLooks[outcome].verdict, outcome]));

/** The outcomes of the chosen cards. */
export const outcomesOf = (verdicts: readonly Verdict[]): GuessOutcome[] =>
  verdicts.flatMap((verdict) => outcomesByVerdict.get(verdict) ?? []);

/** The four counts of a list of people. */
export function categoriesOf({ guess_metrics: counts }: Pick<GuessList, 'guess_metrics'>): Category[] {
  const countOf: Record<GuessOutcome, number> = {
    FOUND: counts.found,
    CATCH_ALL: counts.catch_all,
    NOT_FOUND: counts.not_found,
    UNKNOWN: counts.unknown,
  };
  return GUESS_OUTCOMES.map((outcome) => ({ ...outcomeLooks[outcome], count: countOf[outcome] }));
}

/** 'Jane Doe', or the only name. */
export const fullNameOf = ({ first_name, last_name }: Pick<Guess, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter((name) => name !== '').join(' ');
