import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { StoredExport } from './export-link.ts';

const listed = ['id', 'export', 'created_at', 'expires_at', 'last_used_at'] as const;

/** The links of a list that still work, newest first. */
export function findLinks(db: Db, { ownerId, listId }: ListPlace, now: Date) {
  return db
    .selectFrom('export_links')
    .select(listed)
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export function findLinkByToken(db: Db, tokenHashes: readonly string[], now: Date) {
  return db
    .selectFrom('export_links')
    .select(['owner_id', 'id', 'list_id', 'export', 'last_used_at'])
    .where('token_hash', 'in', tokenHashes)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function noteLinkUse(
  db: Db,
  link: { readonly owner_id: AccountId; readonly id: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('export_links')
    .set({ last_used_at: now })
    .where('owner_id', '=', link.owner_id)
    .where('id', '=', link.id)
    .execute();
}

/** Removes the links of the list that have expired, and adds one. */
export async function insertLink(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  link: {
    readonly id: string;
    readonly tokenHash: string;
    readonly stored: StoredExport;
    readonly now: Date;
    readonly expiresAt: Date;
  },
) {
  await tx
    .deleteFrom('export_links')
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('expires_at', '<=', link.now)
    .execute();
  return tx
    .insertInto('export_links')
    .values({
      owner_id: ownerId,
      id: link.id,
      list_id: listId,
      token_hash: link.tokenHash,
      export: JSON.stringify(link.stored),
      created_at: link.now,
      expires_at: link.expiresAt,
    })
    .returning(listed)
    .executeTakeFirstOrThrow();
}

/** False when there is no such link. */
export async function removeLink(db: Db, { ownerId, listId }: ListPlace, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('export_links')
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
