import { WEBHOOKS } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

/** What sending an event needs. */
const signing = ['id', 'url', 'sealed_secret', 'sealed_previous_secret', 'previous_secret_until'] as const;

export type SigningWebhook = NonNullable<Awaited<ReturnType<typeof findWebhook>>>;
export type WebhookRow = Awaited<ReturnType<typeof findWebhooksOf>>[number];

export interface WebhookPlace {
  readonly ownerId: AccountId;
  readonly id: string;
}

/** What a customer decides about a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly eventTypes: string[] | null;
}

export function findWebhook(db: Db, { ownerId, id }: WebhookPlace) {
  return db
    .selectFrom('webhooks')
    .select(signing)
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A customer's webhooks with the state of their deliveries, oldest first. */
export function findWebhooksOf(db: Db, ownerId: AccountId) {
  return db
    .selectFrom('webhooks')
    .select([...signing, 'event_types', 'created_at', 'last_delivered_at'])
    .select([
      sql<number>`(select count(*) from (select ${waiting} limit ${WEBHOOKS.waitingCountMax}) as counted)`.as(
        'waiting_events',
      ),
      sql<string | null>`(select error ${waiting} order by number limit 1)`.as('last_error'),
    ])
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
const waiting = sql`from webhook_deliveries
  where webhook_deliveries.owner_id = webhooks.owner_id and webhook_id = webhooks.id and status = 'PENDING' and is_in_order`;

export async function findOldestWebhook(db: Db, ownerId: AccountId): Promise<string | undefined> {
  const oldest = await db
    .selectFrom('webhooks')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return oldest?.id;
}

/** The URLs of a customer's webhooks. */
export async function findUrls(db: Db, ownerId: AccountId): Promise<string[]> {
  const rows = await db.selectFrom('webhooks').select('url').where('owner_id', '=', ownerId).execute();
  return rows.map(({ url }) => url);
}

export async function insertWebhook(
  tx: Tx,
  webhook: WebhookPlace & WebhookSettings & { readonly sealedSecret: string; readonly now: Date },
): Promise<void> {
  await tx
    .insertInto('webhooks')
    .values({
      owner_id: webhook.ownerId,
      id: webhook.id,
      url: webhook.url,
      event_types: webhook.eventTypes,
      sealed_secret: webhook.sealedSecret,
      created_at: webhook.now,
    })
    .execute();
}

/** Leaves what is undefined. Events that already wait stay. */
export async function updateWebhook(
  tx: Tx,
  { ownerId, id, url, eventTypes }: WebhookPlace & Partial<WebhookSettings>,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ url, event_types: eventTypes })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

/** Writes down that the receiver took an event that was sent out of order. */
export async function noteDelivered(tx: Tx, { ownerId, id }: WebhookPlace, now: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ last_delivered_at: now })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

/** Returns its URL, or nothing if the customer has no such webhook. */
export async function deleteWebhook(db: Db, { ownerId, id }: WebhookPlace): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('webhooks')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('url')
    .executeTakeFirst();
  return deleted?.url;
}
