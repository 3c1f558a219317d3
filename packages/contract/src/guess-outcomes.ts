import * as z from 'zod/mini';

/**
 * The result of a guess. FOUND: an address was proved to exist. CATCH_ALL: the domain accepts every name, so we return the
 * likeliest one, unproved. NOT_FOUND: the host refused every likely address. UNKNOWN: the host gave no clear answer.
 */
export const GUESS_OUTCOMES = ['FOUND', 'CATCH_ALL', 'NOT_FOUND', 'UNKNOWN'] as const;
export const guessOutcomeSchema = z.enum(GUESS_OUTCOMES);
export type GuessOutcome = z.output<typeof guessOutcomeSchema>;
