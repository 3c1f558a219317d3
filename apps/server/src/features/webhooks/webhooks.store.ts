import type { Db } from '../../platform/database/database.ts';

const shown = [
  'id',
  'url',
  'sealed_secret',
  'sealed_previous_secret',
  'previous_secret_until',
  'created_at',
] as const;

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhookOf>>>;

interface WebhookPlace {
  readonly ownerId: string;
  readonly id: string;
}

export function findWebhookOf(db: Db, ownerId: string) {
  return db.selectFrom('webhooks').select(shown).where('owner_id', '=', ownerId).executeTakeFirst();
}

/** Returns undefined if the customer already has a webhook. */
export function insertWebhook(
  db: Db,
  webhook: WebhookPlace & { readonly url: string; readonly sealedSecret: string; readonly now: Date },
) {
  return db
    .insertInto('webhooks')
    .values({
      owner_id: webhook.ownerId,
      id: webhook.id,
      url: webhook.url,
      sealed_secret: webhook.sealedSecret,
      created_at: webhook.now,
    })
    .onConflict((conflict) => conflict.column('owner_id').doNothing())
    .returning(shown)
    .executeTakeFirst();
}

/** Returns undefined if the customer has no such webhook. */
export function updateUrl(db: Db, { ownerId, id, url }: WebhookPlace & { readonly url: string }) {
  return db
    .updateTable('webhooks')
    .set({ url })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst();
}

/** The old secret becomes the previous one. Returns undefined if the customer has no such webhook. */
export function replaceSecret(
  db: Db,
  { ownerId, id, sealedSecret, previousUntil }: WebhookPlace & { sealedSecret: string; previousUntil: Date },
) {
  return db
    .updateTable('webhooks')
    .set((row) => ({
      sealed_previous_secret: row.ref('sealed_secret'),
      previous_secret_until: previousUntil,
      sealed_secret: sealedSecret,
    }))
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirst();
}

/** Returns false if the customer has no such webhook. */
export async function deleteWebhook(db: Db, { ownerId, id }: WebhookPlace): Promise<boolean> {
  const deleted = await db
    .deleteFrom('webhooks')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}
