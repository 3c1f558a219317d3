import type { ActivityKind } from '@assay/contract';
import type { Caller } from '../../platform/auth/index.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ActivityContents } from './activity.tables.ts';

/** Who did it. Without a source, Assay did it by itself. */
export type Actor = Pick<Caller, 'accountId' | 'source' | 'key'>;

interface NewActivity {
  readonly kind: ActivityKind;
  /** What it was done to, in words that may be kept for a year. Never an address that was verified or the name of a list. */
  readonly about?: string | undefined;
  /** The list that it was done to. Its name is kept as long as the customer keeps lists. */
  readonly list?: { readonly id: string; readonly name: string; readonly created_at: Date };
  /** Of a sign-in. A session is recorded once. */
  readonly session?: string;
  readonly now: Date;
}

const aboutLengthMax = 200;

/**
 * Adds an entry to the customer's activity log, with one statement. Call it last in a transaction: the entries of one
 * customer wait for each other until the transaction ends. See docs/decisions/activity-chain.md.
 */
export async function recordActivity(
  db: Db,
  { accountId, source, key }: Actor,
  { kind, about, list, session, now }: NewActivity,
): Promise<void> {
  const by = key ? 'api_key' : 'customer';
  const contents: ActivityContents = {
    kind,
    about: storable(about),
    by: source ? by : 'assay',
    address: source?.address ?? null,
    agent: source?.agent ?? null,
    ...(list && { list: { id: list.id, createdAt: list.created_at.toISOString() } }),
    ...(key && { key: { id: key.id, name: key.name } }),
    ...(session !== undefined && { session }),
  };
  await db
    .insertInto('activity_entries')
    .values({
      owner_id: accountId,
      recorded_at: now,
      contents: JSON.stringify(contents),
      list_name: storable(list?.name),
    })
    .execute();
}

const storable = (text: string | undefined): string | null =>
  text?.slice(0, aboutLengthMax).toWellFormed() ?? null;
