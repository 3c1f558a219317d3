import * as z from 'zod/mini';
import { VERDICT_REASONS } from './verdict-reasons.ts';

export const VERDICTS = ['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] as const;
export const verdictSchema = z.enum(VERDICTS);
export type Verdict = z.output<typeof verdictSchema>;

/** One step of the check: the question, the host and its reply. */
export const evidenceStageSchema = z.object({
  stage: z.string(),
  host: z.nullable(z.string()),
  address: z.nullable(z.string()),
  reply: z.nullable(z.string()),
  took_ms: z.number(),
});

/** What is known about an address besides its verdict. */
export const ADDRESS_FLAGS = ['disposable', 'role', 'free_provider', 'plus_tag'] as const;
export const addressFlagSchema = z.enum(ADDRESS_FLAGS);
export type AddressFlag = z.output<typeof addressFlagSchema>;

export const addressFlagsSchema = z.object({
  disposable: z.boolean(),
  role: z.boolean(),
  free_provider: z.boolean(),
  plus_tag: z.boolean(),
});

const verdictReasonCode = z.string().register(z.globalRegistry, {
  description: 'A stable code. We add codes: handle one that you do not know by its verdict.',
  examples: [...VERDICT_REASONS],
});

/** The reason of a verdict: a stable code for programs and a sentence for people. */
export const verdictReasonSchema = z.object({ code: verdictReasonCode, text: z.string() });

/** What a check found besides the verdict and its reason. */
export const addressTraitsSchema = z.object({
  flags: z.nullable(addressFlagsSchema),
  /** Who runs the domain's mail host: `Google`, `Microsoft 365`, or the domain of a host that is not well known. */
  mx_provider: z.nullable(z.string()),
  /** The address that was probably meant. */
  suggestion: z.nullable(z.string()),
});

/** Details of a checked address. */
export const verdictDetailSchema = z.extend(addressTraitsSchema, {
  evidence: z.array(evidenceStageSchema),
});
export type VerdictDetail = z.output<typeof verdictDetailSchema>;
