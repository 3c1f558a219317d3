import { GUESS_OUTCOMES, type GuessOutcome } from '@assay/contract';

/**
 * The outcomes that cost a credit. A clear answer is a verdict about an address, whether or not the address exists: if only
 * FOUND cost one, guesses with a single name would check any address for free. Guesses of earlier versions cost one if FOUND.
 */
export const chargedOutcomes = (chargesEveryAnswer: boolean): readonly GuessOutcome[] =>
  chargesEveryAnswer ? everyAnswer : ['FOUND'];

const everyAnswer = GUESS_OUTCOMES.filter((outcome) => outcome !== 'UNKNOWN');

/** What a complete guess costs. */
export const priceOf = (outcome: GuessOutcome, chargesEveryAnswer: boolean): 0 | 1 =>
  chargedOutcomes(chargesEveryAnswer).includes(outcome) ? 1 : 0;
