import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Disagreement } from '../billing/index.ts';

/** A guess or list whose hold does not match its outcomes. */
export interface GuessDisagreement extends Omit<Disagreement, 'finding'> {
  readonly finding: 'guess_charge' | 'guess_hold';
}

/**
 * Compares charges with outcomes: a complete guess or list has captured one credit per clear answer, and a running one
 * still holds one credit per person. `auditLedger` checks the ledger itself.
 */
export async function* auditGuesses(db: Db): AsyncGenerator<GuessDisagreement> {
  const { rows } = await sql<GuessDisagreement>`
    with work as (
      select owner_id, 'guess:' || id as reference, status = 'COMPLETE' as is_complete,
        (outcome = 'FOUND' or charges_every_answer and outcome <> 'UNKNOWN')::int as answered, 1 as people
      from guesses where list_id is null
      union all
      select owner_id, 'guess-list:' || id, status = 'COMPLETE',
        found + case when charges_every_answer then catch_all + not_found else 0 end, total_people
      from lists where kind = 'people'
    )
    select owner_id as "ownerId", reference as subject,
      case when is_complete then 'guess_charge' else 'guess_hold' end as finding,
      (case when is_complete then answered else people end)::bigint as expected,
      (case when is_complete then captured when holds.status = 'held' then amount end)::bigint as actual
    from work left join holds using (owner_id, reference)
    where (is_complete and captured is distinct from answered)
      or (not is_complete and (holds.status is distinct from 'held' or amount <> people))
    order by reference`.execute(db);
  yield* rows;
}
