import type { PageQuery } from '@assay/contract';
import type { OperatorAction, OperatorActionKind } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findPage } from '../../platform/database/find-page.ts';

/** Who acts and why. */
export interface ActorAndReason {
  /** The operator's user id; null for the command line. */
  readonly actorId: string | null;
  /** Who runs the command, as the operating system names them. */
  readonly actorName?: string;
  readonly reason: string;
}

export interface OperatorParts {
  readonly db: Db;
  readonly clock: Clock;
}

interface NewAction {
  readonly kind: OperatorActionKind;
  readonly customerId?: string;
  /** Without names and addresses: it stays when the account is deleted. */
  readonly about: string;
  readonly now: Date;
}

/** Call it last in the transaction of the action, because all actions wait for each other until it ends. */
export async function recordAction(
  tx: Tx,
  { actorId, actorName, reason }: ActorAndReason,
  { kind, customerId, about, now }: NewAction,
): Promise<void> {
  await tx
    .insertInto('operator_actions')
    .values({
      recorded_at: now,
      actor_id: actorId,
      actor_name: actorName ?? null,
      kind,
      customer_id: customerId ?? null,
      about,
      reason,
    })
    .execute();
}

export async function findActions(
  db: Db,
  { customer_id, ...page }: PageQuery & { readonly customer_id?: string | undefined },
): Promise<{ results: OperatorAction[]; total: number }> {
  const found = db
    .selectFrom('operator_actions')
    .select(['number', 'recorded_at', 'actor_id', 'actor_name', 'kind', 'customer_id', 'about', 'reason'])
    .$if(customer_id !== undefined, (query) => query.where('customer_id', '=', customer_id ?? ''))
    .orderBy('number', 'desc');
  const { rows, total } = await findPage(found, page);
  return {
    results: rows.map(({ recorded_at, ...action }) => ({ ...action, date: recorded_at.toISOString() })),
    total,
  };
}

/** The first action that was changed or is missing, or before which one is missing; null if all verify. */
export async function findBrokenAction(db: Db): Promise<{ broken: number | null; count: number }> {
  const { rows } = await sql<{ broken: number | null; count: number }>`
    with verified as (
      select min(number) filter (where number <> place
          or hash <> sha256(coalesce(before, '') || convert_to(operator_action_text(action), 'UTF8'))) as broken,
        count(*) as count
      from (
        select operator_actions as action, number, hash, row_number() over (order by number) as place,
          lag(hash) over (order by number) as before
        from operator_actions) as chained),
    newest as (select hash from operator_actions order by number desc limit 1)
    select count, coalesce(broken, case when last_number is distinct from count
      or last_hash is distinct from coalesce((select hash from newest), '') then count + 1 end) as broken
    from verified left join operator_chain on true`.execute(db);
  return rows[0] ?? { broken: null, count: 0 };
}
