import type { RealtimeEvent } from '@assay/contract';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { AccountId, UserId } from '../ids.ts';

/** The PostgreSQL channel that carries events of all customers between processes. */
export const EVENTS_CHANNEL = 'assay_events';

/** PostgreSQL refuses a notification of 8,000 bytes or more. */
const payloadBytesMax = 7_999;

/** The open tabs of an account, or those of a person. */
export type Recipient = AccountId | UserId;

/** What travels between processes: an event for the customer's tabs, or word to the processes themselves. */
export type Published =
  | { readonly user_id: string; readonly event: RealtimeEvent }
  | { readonly user_id: string; readonly sessions_ended: true };

/** Publishes one event. See `publishEvents`. */
export const publishEvent = (db: Db, recipient: Recipient, event: RealtimeEvent): Promise<void> =>
  publishEvents(db, recipient, [event]);

/**
 * Tells the customer's open tabs, in whichever process they are connected. Inside a transaction it is sent at commit
 * and never when that fails, and identical events of one transaction are sent once. Carries ids and small numbers only:
 * receivers reload what they show.
 */
export async function publishEvents(
  db: Db,
  recipient: Recipient,
  events: readonly RealtimeEvent[],
): Promise<void> {
  const payloads = events.map((event) => payloadOf(recipient, event));
  await sql`select pg_notify(${EVENTS_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(
    db,
  );
}

function payloadOf(recipient: Recipient, event: RealtimeEvent): string {
  const payload = JSON.stringify({ user_id: recipient, event } satisfies Published);
  if (Buffer.byteLength(payload) > payloadBytesMax) {
    throw new Error(
      `Event ${event.event_type} is too large to publish; send an id and let the client reload.`,
    );
  }
  return payload;
}

/** Sessions of the customer ended, or the whole account: every process looks again which of their sockets may stay. */
export async function publishSessionsEnded(db: Db, userId: UserId): Promise<void> {
  const payload = JSON.stringify({ user_id: userId, sessions_ended: true } satisfies Published);
  await sql`select pg_notify(${EVENTS_CHANNEL}, ${payload})`.execute(db);
}
