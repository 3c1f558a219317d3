import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ActivityContents } from './activity.tables.ts';

/** An entry that is worth a mail. */
export interface ActivityNews extends Pick<ActivityContents, 'kind' | 'about' | 'address' | 'agent'> {
  readonly recordedAt: Date;
  /** The API key that did it; null if a person or Assay did. */
  readonly key: ActivityContents['key'] | null;
  /** Of a sign-in: whether there was none before from its network, and it is not the first one. */
  readonly isNewPlace: boolean;
}

/** Customers with news that no worker has taken, in case a request to look was lost. */
export async function findActivityNews(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ owner_id: AccountId }>`
    select distinct owner_id from activity_news order by owner_id limit ${limit}`.execute(db);
  return rows.map(({ owner_id }) => owner_id);
}

/** So much of an address is the network that it belongs to. Providers give their customers other addresses of it. */
const networkOf = (address: string) => sql`
  network(set_masklen(${sql.raw(address)}::inet, case family(${sql.raw(address)}::inet) when 4 then 16 else 32 end))`;

/** Takes the news of a customer, in the transaction that sends them: of processes that do this at once, one gets each. */
export async function takeActivityNews(
  tx: Tx,
  { ownerId, since }: { readonly ownerId: AccountId; readonly since: Date },
): Promise<ActivityNews[]> {
  const { rows } = await sql<ActivityNews>`
    with taken as (delete from activity_news where owner_id = ${ownerId} returning number, recorded_at)
    select contents ->> 'kind' as kind, contents ->> 'about' as about, contents ->> 'address' as address,
      contents ->> 'agent' as agent, contents -> 'key' as key, entry.recorded_at as "recordedAt",
      contents ->> 'kind' = 'session.started' and exists (
        select from activity_entries as earlier
        where earlier.owner_id = entry.owner_id and earlier.number < entry.number
          and earlier.contents ->> 'kind' = 'session.started'
      ) and not exists (
        select from activity_entries as earlier
        where earlier.owner_id = entry.owner_id and earlier.number < entry.number
          and earlier.contents ->> 'kind' = 'session.started'
          and ${networkOf("(earlier.contents ->> 'address')")} = ${networkOf("(entry.contents ->> 'address')")}
      ) as "isNewPlace"
    from activity_entries as entry join taken on taken.number = entry.number
    where entry.owner_id = ${ownerId} and entry.contents is not null and taken.recorded_at > ${since}
    order by entry.number`.execute(tx);
  return rows;
}
