import * as z from 'zod/mini';
import { ADDRESS_FLAGS, byFlag, VERDICTS } from './names/verdict-names.ts';
import { VERDICT_REASONS } from './names/verdict-reasons.ts';

export const verdictSchema = z.enum(VERDICTS);

/** One step of the check: the question, the host and its reply. */
export const evidenceStageSchema = z.object({
  stage: z.string(),
  host: z.nullable(z.string()),
  address: z.nullable(z.string()),
  reply: z.nullable(z.string()),
  took_ms: z.number(),
});

export const addressFlagSchema = z.enum(ADDRESS_FLAGS);

export const addressFlagsSchema = z.object(byFlag(() => z.boolean()));

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
