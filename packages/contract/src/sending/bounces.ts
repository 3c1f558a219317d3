import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';

const bodyBytesMax = 1_048_576;
const replyLengthMax = 10_000;

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
  reply: z.optional(z.string().check(z.minLength(3), z.maxLength(replyLengthMax))),
  mail: z.optional(z.string().check(z.minLength(1), z.maxLength(bodyBytesMax))),
  event: z.optional(z.unknown()),
});

export const bouncesRoutes = {
  explain: defineRoute({
    method: 'POST',
    path: '/bounces/explain',
    auth: 'user_or_key',
    keyScope: 'explain_bounces',
    leastRole: 'member',
    tag: 'Bounces',
    summary: 'Explain a reply, a mail that came back, or an event of your sender; free',
    isRepeatable: true,
    bodyBytesMax,
    body: bounceOrderSchema,
    success: { status: 200, schema: z.object({ results: z.array(bounceFindingSchema) }) },
  }),
};
