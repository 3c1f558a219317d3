import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';
import { defineRoute } from './route.ts';

const bodyBytesMax = 2_000_000;

/** What a sender may report. With a reply in `detail`, the reply decides; `bounce` leaves it to the reply alone. */
export const REPORTED_KINDS = [
  'delivered',
  'bounce',
  'hard',
  'soft',
  'block',
  'complaint',
  'unsubscribed',
  'auto_reply',
  'not_sent',
] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

export const OUTCOMES = {
  atOnceMax: 10_000,
  detailLengthMax: 2_000,
  eventIdLengthMax: 200,
  /** Of an account. Older ones are deleted. */
  keptMax: 10_000_000,
} as const;

const addressLengthMax = 320;

export const reportedOutcomeSchema = z.strictObject({
  email: z.string().check(z.minLength(3), z.maxLength(addressLengthMax)),
  kind: z.enum(REPORTED_KINDS),
  at: dateTimeSchema,
  detail: z.optional(z.string().check(z.maxLength(OUTCOMES.detailLengthMax))),
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(OUTCOMES.eventIdLengthMax))),
});

export const outcomesRoutes = {
  report: defineRoute({
    method: 'POST',
    path: '/outcomes',
    auth: 'user_or_key',
    keyScope: 'report_outcomes',
    leastRole: 'member',
    tag: 'Outcomes',
    summary: 'Report what happened to mail after you sent it: bounces, complaints, deliveries; free',
    isRepeatable: true,
    bodyBytesMax,
    body: z.strictObject({
      outcomes: z.array(reportedOutcomeSchema).check(z.minLength(1), z.maxLength(OUTCOMES.atOnceMax)),
      list_id: z.optional(idSchema),
    }),
    success: {
      status: 200,
      schema: z.object({ recorded: z.number(), repeated: z.number() }),
    },
  }),
};
