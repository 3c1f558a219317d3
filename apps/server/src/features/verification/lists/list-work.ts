import { type PaidWork, paidWork } from '../../billing/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { ListRow } from './lists.store.ts';

export const listWork = (
  { ownerId, listId }: ListPlace,
  { is_sandbox }: Pick<ListRow, 'is_sandbox'>,
): PaidWork => paidWork({ kind: 'list', ownerId, id: listId, isSandbox: is_sandbox });

/** Unknown results cost nothing. */
export const dueFor = (list: Pick<ListRow, 'valid_emails' | 'invalid_emails' | 'catch_all_emails'>): number =>
  list.valid_emails + list.invalid_emails + list.catch_all_emails;
