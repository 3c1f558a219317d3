import * as z from 'zod/mini';

/**
 * How a guess ends. FOUND: an address was proved to exist. CATCH_ALL: the domain takes every name, so the likeliest is
 * named and nothing is proved. NOT_FOUND: every likely address was refused. UNKNOWN: the mail host would not say.
 */
export const GUESS_OUTCOMES = ['FOUND', 'CATCH_ALL', 'NOT_FOUND', 'UNKNOWN'] as const;
export const guessOutcomeSchema = z.enum(GUESS_OUTCOMES);
export type GuessOutcome = z.output<typeof guessOutcomeSchema>;
