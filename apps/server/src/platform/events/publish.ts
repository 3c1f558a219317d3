import type { RealtimeEvent } from '@assay/contract';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** The PostgreSQL channel that carries events of all customers between processes. */
export const EVENTS_CHANNEL = 'assay_events';

/** PostgreSQL refuses a notification of 8,000 bytes or more. */
const payloadBytesMax = 7_999;

export interface PublishedEvent {
  readonly user_id: string;
  readonly event: RealtimeEvent;
}

/**
 * Tells the customer's open tabs, in whichever process they are connected. Inside a transaction it is sent at commit
 * and never when that fails, and identical events of one transaction are sent once. Carries ids and small numbers only:
 * receivers reload what they show.
 */
export async function publishEvent(db: Db, userId: string, event: RealtimeEvent): Promise<void> {
  const payload = JSON.stringify({ user_id: userId, event } satisfies PublishedEvent);
  if (Buffer.byteLength(payload) > payloadBytesMax) {
    throw new Error(
      `Event ${event.event_type} is too large to publish; send an id and let the client reload.`,
    );
  }
  await sql`select pg_notify(${EVENTS_CHANNEL}, ${payload})`.execute(db);
}
