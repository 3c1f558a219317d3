import * as z from 'zod/mini';
import { dateTimeSchema } from '../fields.ts';
import { OUTCOME_KINDS } from '../names/outcome-names.ts';

export const outcomeKindSchema = z.enum(OUTCOME_KINDS);

/** The most outcomes that stand beside one result. */
export const OUTCOMES_OF_CHECK_MAX = 10;

/** What happened to mail for an address after its check. */
export const checkOutcomeSchema = z.object({
  kind: outcomeKindSchema,
  at: dateTimeSchema,
  /** A stable code and a few words. */
  reason: z.object({ code: z.string(), text: z.string() }),
  /** What the mail host or the sender said. */
  words: z.string(),
});
export type CheckOutcome = z.output<typeof checkOutcomeSchema>;

/** Only answers about addresses with outcomes carry this, the latest first. Results themselves never change. */
export const outcomesBeside = {
  outcomes: z.optional(z.array(checkOutcomeSchema).check(z.maxLength(OUTCOMES_OF_CHECK_MAX))),
};
