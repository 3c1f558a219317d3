import {
  OPERATOR_ROWS_MAX,
  type OperatorCustomer,
  type OperatorOwner,
  type Standing,
  type WithheldCredits,
} from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { escapePattern } from '../../platform/database/escape-pattern.ts';
import { uuid } from '../../platform/database/uuid.ts';
import type { AccountId } from '../../platform/ids.ts';

export interface CustomerRow {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string;
  readonly standing: Standing;
  readonly balance: number;
  readonly created_at: Date;
}

/** Of `users`, with the account that each opened. The balance is what is not held. */
export const customerColumns = sql`
  users.id, first_name, last_name, users.email_address, users.created_at,
  (select standing from accounts where accounts.id = users.id) as standing,
  coalesce((select balance - held from wallets where owner_id = users.id), 0)::bigint as balance`;

export const customerAnswer = (row: CustomerRow): OperatorCustomer => ({
  id: row.id,
  first_name: row.first_name,
  last_name: row.last_name,
  email_address: row.email_address,
  standing: row.standing,
  balance: row.balance,
  creation_date: row.created_at.toISOString(),
});

/**
 * Customers by id, or by the beginning of an address, a full name or a last name; the newest without a search. Each way has an
 * index, so a search costs the same with a million customers.
 */
export async function findCustomers(db: Db, search: string): Promise<CustomerRow[]> {
  const { rows } = await sql<CustomerRow>`
    select ${customerColumns} from users where ${wanted(search)}
    order by users.created_at desc, users.id limit ${OPERATOR_ROWS_MAX}`.execute(db);
  return rows;
}

function wanted(search: string) {
  const text = search.trim();
  if (text === '') return sql`true`;
  if (uuid.test(text)) return sql`users.id = ${text}`;
  const start = `${escapePattern(text.normalize('NFC').toLowerCase())}%`;
  return sql`users.id in (
    (select user_id from user_identities where address_key like ${start} limit ${OPERATOR_ROWS_MAX})
    union (select id from users where lower(first_name || ' ' || last_name) like ${start} limit ${OPERATOR_ROWS_MAX})
    union (select id from users where lower(last_name) like ${start} limit ${OPERATOR_ROWS_MAX}))`;
}

/** Who these customers are, by their ids. */
export async function findOwners(db: Db, ids: readonly string[]): Promise<Map<string, OperatorOwner>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<OperatorOwner>`
    select id, first_name, last_name, email_address from users where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((owner) => [owner.id, owner]));
}

/** The newest customers whose free credits wait for an operator. */
export async function findWithheldCredits(db: Db): Promise<WithheldCredits[]> {
  const { rows } = await sql<CustomerRow & { withheld_because: WithheldCredits['withheld_because'] }>`
    select ${customerColumns}, free_credits_withheld as withheld_because
    from (
      select owner_id, free_credits_withheld from subscriptions
      where free_credits_withheld is not null and free_credits_withheld <> 'mailbox_taken'
      order by anchored_at desc limit ${OPERATOR_ROWS_MAX}) as newest
    join users on users.id = owner_id
    order by users.created_at desc, users.id`.execute(db);
  return rows.map((row) => ({ ...customerAnswer(row), withheld_because: row.withheld_because }));
}

/** The names of lists of any kind, by their ids. */
export async function findListNames(
  db: Db,
  ownerId: AccountId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from lists where owner_id = ${ownerId} and id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
