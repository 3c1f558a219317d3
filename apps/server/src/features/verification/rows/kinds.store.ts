import { SUMMARY_PROVIDERS_MAX, type Verdict } from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import type { ListPlace } from '../../lists/index.ts';
import { isLarge } from './large-lists.store.ts';

/** What results of a list have in common, and how many have it. The reason decides on the verdict. */
export interface ResultKind {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly flags: number | null;
  readonly mxProvider: string | null;
  readonly emails: number;
}

/** Counts the kinds of results of a large list. The caller has locked the list. */
export async function countKinds(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  kinds: readonly ResultKind[],
): Promise<void> {
  if (!isLarge(listId)) return;
  await sql`
    insert into list_kinds as kind (owner_id, list_id, verdict, reason, flags, mx_provider, emails)
    select ${ownerId}, ${listId}, counted.*
    from unnest(${kinds.map(({ verdict }) => verdict)}::text[], ${kinds.map(({ reason }) => reason)}::text[],
      ${kinds.map(({ flags }) => flags)}::smallint[], ${kinds.map(({ mxProvider }) => mxProvider)}::text[],
      ${numberArray(kinds.map(({ emails }) => emails))}::int[]) counted
    on conflict (owner_id, list_id, reason, flags, mx_provider)
      do update set emails = kind.emails + excluded.emails`.execute(tx);
}

interface ReasonCount {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly flags: number | null;
  readonly emails: number;
}

interface ProviderCount {
  readonly mx_provider: string;
  readonly emails: number;
}

/** How often reasons with their flags, and the most frequent providers, occur in a list. */
export async function findKinds(db: Db, place: ListPlace) {
  const { ownerId, listId } = place;
  const areCounted = isLarge(listId) && (await areAllCounted(db, place));
  const kinds = areCounted
    ? sql`list_kinds`
    : sql`(select owner_id, list_id, verdict, reason, flags, mx_provider, 1 as emails from list_results)`;
  const ofList = sql`from ${kinds} kind where owner_id = ${ownerId} and list_id = ${listId}`;
  const { rows: reasons } = await sql<ReasonCount>`
    select verdict, reason, flags, sum(emails) as emails ${ofList} group by verdict, reason, flags`.execute(
    db,
  );
  const { rows: mxProviders } = await sql<ProviderCount>`
    select mx_provider, sum(emails) as emails ${ofList} and mx_provider is not null
    group by mx_provider order by emails desc, mx_provider limit ${SUMMARY_PROVIDERS_MAX}`.execute(db);
  return { reasons, mxProviders };
}

/** How many results of a large list match conditions for a `result`, if the kinds of all its results are counted. */
export async function countByKinds(
  db: Db,
  place: ListPlace,
  conditions: RawBuilder<unknown>,
): Promise<number | undefined> {
  if (!(await areAllCounted(db, place))) return undefined;
  const { rows } = await sql<{ emails: number }>`
    select coalesce(sum(emails), 0) as emails from list_kinds result
    where owner_id = ${place.ownerId} and list_id = ${place.listId} and ${conditions}`.execute(db);
  return rows[0]?.emails;
}

/** Processes of earlier versions write results without counting their kinds. */
async function areAllCounted(db: Db, { ownerId, listId }: ListPlace): Promise<boolean> {
  const { rows } = await sql<{ areAllCounted: boolean }>`
    select valid_emails + invalid_emails + catch_all_emails + unknown_emails =
      (select coalesce(sum(emails), 0) from list_kinds where owner_id = ${ownerId} and list_id = ${listId})
      as "areAllCounted"
    from lists where kind = 'emails' and owner_id = ${ownerId} and id = ${listId}`.execute(db);
  return rows[0]?.areAllCounted ?? false;
}
