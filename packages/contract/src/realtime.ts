import * as z from 'zod/mini';
import { guessOutcomeSchema } from './guess-outcomes.ts';
import { guessMetricsSchema } from './guessing.ts';
import { emailMetricsSchema } from './validations/index.ts';
import { verdictSchema } from './verdicts.ts';

export const REALTIME_PATH = '/realtime';

export const REALTIME_EVENTS = [
  'refresh_billing',
  'list_verification_complete',
  'list_complete',
  'verification_complete',
  /** The customer's profile or feature flags changed. */
  'refresh_user',
  /** A delivery to one of the customer's webhooks changed. */
  'refresh_webhooks',
  /** The guess of one person is complete. */
  'guess_complete',
  /** A list of people made progress. */
  'guess_list_progress',
  'guess_list_complete',
  /** A list, of emails or of people, was renamed, paused or resumed, has newly deferred rows, is being prepared or finished, or failed. */
  'list_changed',
  /** A mailbox was connected or removed. */
  'refresh_mailboxes',
  /** A list, of emails or of people, was deleted. */
  'list_deleted',
] as const;

/** Events that the server sends to a signed-in customer's open tabs. */
export const realtimeEventSchema = z.object({
  event_type: z.enum(REALTIME_EVENTS),
  event_metadata: z.object({
    list_id: z.optional(z.string()),
    progress: z.optional(z.number()),
    /** The counts that go with `progress`, of a list of emails or of people. */
    email_metrics: z.optional(emailMetricsSchema),
    guess_metrics: z.optional(guessMetricsSchema),
    validation_id: z.optional(z.string()),
    email_address_status: z.optional(verdictSchema),
    guess_outcome: z.optional(guessOutcomeSchema),
  }),
});
export type RealtimeEvent = z.output<typeof realtimeEventSchema>;

/**
 * The first message of a socket. The token is not in the URL, because proxies log URLs. A newer token
 * sent on the open socket extends its life.
 */
export const realtimeHelloSchema = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(16_384)),
});

/**
 * The server's answer: from now on events arrive. The server sends a message at least every `heartbeat_ms`,
 * so that a page, which cannot see protocol pings, notices a dead connection.
 */
export interface RealtimeReady {
  readonly ready: true;
  readonly heartbeat_ms?: number | undefined;
}

/** Why the server closes a socket (4000 and above are ours to name). */
export const REALTIME_CLOSE = {
  unauthorized: 4401,
  tokenEnded: 4402,
  greetingLate: 4408,
  /** The server itself missed events for a while: connect again and reload. */
  eventsMissed: 4409,
  tooManySockets: 4429,
} as const;
