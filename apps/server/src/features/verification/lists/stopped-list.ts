import type { HoldCapture } from '../../billing/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { ListRow } from './lists.store.ts';

type PaidCounts = Pick<ListRow, 'valid_emails' | 'invalid_emails' | 'catch_all_emails'>;

/** Unknown results are never paid for. */
export const dueFor = (list: PaidCounts): number =>
  list.valid_emails + list.invalid_emails + list.catch_all_emails;

/** What is taken for a list that ends before all its results are there: those already written. */
export const captureOfStopped = (
  { ownerId, listId }: ListPlace,
  list: PaidCounts,
  now: Date,
): HoldCapture => ({
  ownerId,
  reference: `list:${listId}`,
  dueCredits: dueFor(list),
  category: 'VERIFICATION',
  source: 'LIST',
  description: 'List verification, stopped',
  now,
});
