import * as z from 'zod/mini';
import { switchSchema } from '../fields.ts';

/** Only answers about sandbox work carry this. */
export const sandboxMark = { sandbox: z.optional(z.literal(true)) };

/** `sandbox` requests a free answer of the sandbox, which knows addresses that end in .test. */
export const sandboxQuery = z.strictObject({ sandbox: z.optional(switchSchema) });

/** Most addresses in one list of the sandbox. */
export const SANDBOX_EMAILS_MAX = 1_000;

export const emailMetricsSchema = z.object({
  valid_emails: z.number(),
  invalid_emails: z.number(),
  catch_all_emails: z.number(),
  unknown_emails: z.number(),
});
export type EmailMetrics = z.output<typeof emailMetricsSchema>;
