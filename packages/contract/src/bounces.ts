import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

/** The largest body, and how many recipients of one mail are judged. */
export const BOUNCE = { bytesMax: 1_048_576, recipientsMax: 100, replyLengthMax: 10_000 } as const;

export const bounceClassSchema = z.enum([
  'hard',
  'soft',
  'block',
  'complaint',
  'auto_reply',
  'delivered',
  'not_sent',
  'unclear',
]);
export const bounceSubjectSchema = z.enum(['mailbox', 'domain', 'sender', 'message', 'host', 'unclear']);
export const bounceActionSchema = z.enum(['suppress', 'retry', 'fix_sender', 'none']);

export const bounceFindingSchema = z.object({
  recipient: z.nullable(z.string()),
  class: bounceClassSchema,
  subject: bounceSubjectSchema,
  action: bounceActionSchema,
  reason: z.string(),
  rule: z.string(),
  words: z.string(),
});

/** One of them. An event of a sender may also be the whole body, as the sender posts it. */
export const bounceOrderSchema = z.strictObject({
  reply: z.optional(z.string().check(z.minLength(3), z.maxLength(BOUNCE.replyLengthMax))),
  mail: z.optional(z.string().check(z.minLength(1), z.maxLength(BOUNCE.bytesMax))),
  event: z.optional(z.unknown()),
});

export const bouncesRoutes = {
  explain: defineRoute({
    method: 'POST',
    path: '/bounces/explain',
    auth: 'user_or_key',
    keyScope: 'explain_bounces',
    tag: 'Bounces',
    summary: 'Explain a reply, a mail that came back, or an event of your sender; free',
    isRepeatable: true,
    bodyBytesMax: BOUNCE.bytesMax,
    body: bounceOrderSchema,
    success: { status: 200, schema: z.object({ results: z.array(bounceFindingSchema) }) },
  }),
};
