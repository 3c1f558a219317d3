import * as z from 'zod/mini';
import { guessOutcomeSchema } from './guess-outcomes.ts';
import { guessMetricsSchema } from './guessing.ts';
import { emailMetricsSchema } from './validations.ts';
import { verdictSchema } from './verdicts.ts';

export const REALTIME_PATH = '/realtime';

/** What the server tells a signed-in customer's open tabs. */
export const realtimeEventSchema = z.object({
  event_type: z.enum([
    'refresh_billing',
    'list_verification_complete',
    'list_complete',
    'verification_complete',
    /** The customer's profile or feature flags changed. */
    'refresh_user',
    /** Something happened to an event on its way to the customer's webhook. */
    'refresh_webhooks',
    /** A guess of one person has its answer. */
    'guess_complete',
    /** A list of people got on, by `progress`. */
    'guess_list_progress',
    'guess_list_complete',
    /** A list, of emails or of people, has another name. */
    'list_changed',
    /** A list, of emails or of people, is gone. */
    'list_deleted',
  ]),
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
 * The first message of a socket, so that the token is never part of an address that proxies write down. A newer token
 * may be sent on the open socket, which then lives as long as that one.
 */
export const realtimeHelloSchema = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(16_384)),
});

/**
 * The server's side of the greeting: from here on events arrive. `heartbeat_ms` promises that the server says something
 * at least that often, so that a browser, which never sees a protocol ping, can tell a silent line from a dead one.
 */
export const realtimeReadySchema = z.object({
  ready: z.literal(true),
  heartbeat_ms: z.optional(z.number().check(z.positive())),
});

/** What the server says when it has nothing to tell. */
export const realtimeHeartbeatSchema = z.object({ heartbeat: z.literal(true) });

/** Why the server closes a socket (4000 and above are ours to name). */
export const REALTIME_CLOSE = {
  unauthorized: 4401,
  tokenEnded: 4402,
  greetingLate: 4408,
  /** The server itself missed events for a while: connect again and reload. */
  eventsMissed: 4409,
  tooManySockets: 4429,
} as const;
