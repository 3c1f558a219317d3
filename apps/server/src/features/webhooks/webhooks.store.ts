import type { Db } from '../../platform/database/database.ts';
import { lowestId } from '../../platform/database/uuid.ts';

const shown = [
  'id',
  'url',
  'sealed_secret',
  'sealed_previous_secret',
  'previous_secret_until',
  'created_at',
] as const;

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhookOf>>>;

export interface WebhookPlace {
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

const webhooksAtATime = 1_000;
/** The encrypted secrets of all webhooks, some at a time. */
export async function* findAllSecrets(db: Db) {
  for (let after = lowestId; ; ) {
    const webhooks = await db
      .selectFrom('webhooks')
      .select(['id', 'sealed_secret', 'sealed_previous_secret'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(webhooksAtATime)
      .execute();
    yield* webhooks;
    if (webhooks.length < webhooksAtATime) return;
    after = webhooks.at(-1)?.id ?? after;
  }
}

/** Returns 0 if the secret has changed in the meantime. */
export async function replaceSealed(
  db: Db,
  {
    id,
    sealedBefore,
    ...sealed
  }: { id: string; sealedBefore: string; sealed_secret: string; sealed_previous_secret: string | null },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set(sealed)
    .where('id', '=', id)
    .where('sealed_secret', '=', sealedBefore)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
