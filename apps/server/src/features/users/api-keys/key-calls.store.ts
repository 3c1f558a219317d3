import type { PageQuery } from '@assay/contract';
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';

/** How many calls of a key are kept and shown. */
const keyCallsMax = 1_000;

export interface KeyOfCalls {
  readonly ownerId: AccountId;
  readonly keyId: string;
}

export interface CallOfKey extends KeyOfCalls {
  readonly calledAt: Date;
  readonly call: string;
  readonly httpStatus: number;
  readonly tookMs: number;
}

/** Adds the calls of keys that still exist. The lock keeps a deletion of the key from missing them. */
export async function insertCalls(db: Db, calls: readonly CallOfKey[]): Promise<void> {
  await sql`
    with new as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as call
        ("ownerId" uuid, "keyId" uuid, "calledAt" timestamptz, call text, "httpStatus" smallint, "tookMs" integer)
    ), first_keys as materialized (
      select id from api_keys where (owner_id, id) in (select "ownerId", "keyId" from new) order by id for key share
    ), further_keys as materialized (
      select id from scoped_api_keys where (owner_id, id) in (select "ownerId", "keyId" from new) order by id for key share
    )
    insert into api_key_calls (owner_id, api_key_id, called_at, call, http_status, took_ms)
    select "ownerId", "keyId", "calledAt", call, "httpStatus", "tookMs" from new
    where "keyId" in (select id from first_keys union all select id from further_keys)`.execute(db);
}

/** Deletes all but the last calls of these keys. */
export async function trimCalls(db: Db, keys: readonly KeyOfCalls[]): Promise<void> {
  await sql`
    delete from api_key_calls as old
    using unnest(${keys.map(({ ownerId }) => ownerId)}::uuid[], ${keys.map(({ keyId }) => keyId)}::uuid[])
        as key (owner_id, id),
      lateral (
        select called_at, number from api_key_calls
        where owner_id = key.owner_id and api_key_id = key.id
        order by called_at desc, number desc offset ${keyCallsMax} limit 1
      ) as last
    where old.owner_id = key.owner_id and old.api_key_id = key.id
      and (old.called_at, old.number) <= (last.called_at, last.number)`.execute(db);
}

const callColumns = ['called_at', 'call', 'http_status', 'took_ms'] as const;

const newestCalls = (db: Db, { ownerId, keyId }: KeyOfCalls) =>
  db
    .selectFrom('api_key_calls')
    .select(callColumns)
    .where('owner_id', '=', ownerId)
    .where('api_key_id', '=', keyId)
    .orderBy('called_at', 'desc')
    .orderBy('number', 'desc');

/** A page of the last calls. Those that are still to be trimmed are left out. */
export async function findCalls(db: Db, key: KeyOfCalls, { page_size, page_number }: PageQuery) {
  const from = (page_number - 1) * page_size;
  const rows =
    from >= keyCallsMax
      ? []
      : await newestCalls(db, key)
          .offset(from)
          .limit(Math.min(page_size, keyCallsMax - from))
          .execute();
  const { count } = await db
    .selectFrom(newestCalls(db, key).limit(keyCallsMax).as('last'))
    .select((last) => last.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(count) };
}

export const findLastCalls = (db: Db, key: KeyOfCalls) => newestCalls(db, key).limit(keyCallsMax).execute();
