import { type CallRequest, OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { findCases, findDeliveries } from '../support/index.ts';

/** Requests for a call or for help with where they were sent, newest first. */
export async function listCallRequests(db: Db): Promise<CallRequest[]> {
  const cases = await findCases(db, { limit: OPERATOR_ROWS_MAX });
  const ids = cases.map(({ id }) => id);
  const byCase = Map.groupBy(await findDeliveries(db, ids), ({ case_id }) => case_id);
  return cases.map(({ owner_id, created_at, ...opened }) => ({
    ...opened,
    customer_id: owner_id,
    creation_date: created_at.toISOString(),
    deliveries: (byCase.get(opened.id) ?? []).map(({ channel, tries, problem, accepted_at }) => ({
      channel,
      tries,
      problem,
      accepted_date: accepted_at?.toISOString() ?? null,
    })),
  }));
}
