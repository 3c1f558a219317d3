import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';

const deletionKinds = [
  'account',
  'list',
  'people_list',
  'single',
  'api_key',
  'scoped_api_key',
  'replaced_key',
  'export_link',
  'webhook',
  'outcome_feed',
  'outcome_mailbox',
  'mailbox',
  'suppression',
] as const;
export type DeletionKind = (typeof deletionKinds)[number];

const deletionSchema = z.strictObject({
  kind: z.enum(deletionKinds),
  ownerId: z.uuid(),
  id: z.uuid(),
  replacedHash: z.nullable(z.string()),
});
export type Deletion = z.infer<typeof deletionSchema>;

/** What an operator did to take rights away. */
const revocationSchema = z.strictObject({
  kind: z.enum(['operator.removed', 'operator.role', 'customer.standing', 'coupon.disabled']),
  /** That of the action in the log of operators. */
  hash: z.string(),
  recordedAt: z.iso.datetime(),
  actorId: z.nullable(z.uuid()),
  customerId: z.nullable(z.uuid()),
  about: z.string(),
  reason: z.string(),
});
export type Revocation = z.infer<typeof revocationSchema>;

const lineSchema = z.union([deletionSchema, revocationSchema]);

export const logFolder = 'deletions';
const atATime = 10_000;
const dayMs = 86_400_000;
/** Longer than anybody should keep a backup of personal data. */
const keptDays = 400;

const folderOf = (day: Date): string => `${logFolder}/${day.toISOString().slice(0, 10)}`;

/**
 * Copies deletions and revocations from the database to the file store, where a restore of the database does not undo them. The
 * transaction that deletes also notes it, so none is missed; a crash in between writes some twice.
 */
export async function logDeletions(
  { db, clock, files }: { readonly db: Db; readonly clock: Clock; readonly files: FileStore },
  signal: AbortSignal,
): Promise<void> {
  for (let count = atATime; count === atATime; ) {
    signal.throwIfAborted();
    const rows = await db
      .selectFrom('deletions_to_log')
      .select(['number', 'kind', 'owner_id', 'id', 'replaced_hash', 'action'])
      .orderBy('number')
      .limit(atATime)
      .execute();
    count = rows.length;
    if (count === 0) return;
    const lines = rows.map(({ kind, owner_id, id, replaced_hash, action }) =>
      JSON.stringify(action ?? { kind, ownerId: owner_id, id, replacedHash: replaced_hash }),
    );
    const now = clock.now();
    await files.write(`${folderOf(now)}/${randomUUID()}`, Readable.from([Buffer.from(lines.join('\n'))]));
    // Numbers are drawn before the commit, so a lower one may still appear: remove exactly what was written.
    await db
      .deleteFrom('deletions_to_log')
      .where(
        'number',
        'in',
        rows.map(({ number }) => number),
      )
      .execute();
    await files.removeAll(folderOf(new Date(now.getTime() - keptDays * dayMs)));
  }
}

/** What was deleted and revoked since a moment, and some of what was before it, up to ten thousand at a time. */
export async function* readDeletions(
  files: FileStore,
  since: Date,
): AsyncGenerator<(Deletion | Revocation)[]> {
  // The clocks of two machines may differ around midnight.
  const firstFolder = folderOf(new Date(since.getTime() - dayMs));
  for await (const key of files.list(logFolder)) {
    if (key < firstFolder) continue;
    yield parseLines(key, await text(files.read(key)));
  }
}

/** The restore cannot end without the file, so an operator must know which one it is. */
function parseLines(key: string, lines: string): (Deletion | Revocation)[] {
  try {
    return lines.split('\n').map((line) => z.parse(lineSchema, JSON.parse(line)));
  } catch (cause) {
    throw new Error(
      `${key} in the file store is damaged. Copy it again or remove it, then repeat the restore.`,
      { cause },
    );
  }
}
