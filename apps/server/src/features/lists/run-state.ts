import type { RunState } from '@assay/contract';
import { type ListStatus, workedOnStatuses } from './list-status.ts';

/** What a list does, in more detail than its status. `rowsLeft` have no outcome, and `rowsWaiting` of them wait for hosts. */
export function runStateOf(
  status: ListStatus,
  { rowsLeft, rowsWaiting }: { readonly rowsLeft: number; readonly rowsWaiting: number },
): RunState | null {
  if (status === 'PAUSED') return 'paused';
  if (status === 'FINISHING') return 'finishing';
  if (!workedOnStatuses.includes(status)) return null;
  return rowsLeft > 0 && rowsWaiting >= rowsLeft ? 'waiting' : 'running';
}
