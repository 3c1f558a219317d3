import type { RunState } from '@assay/contract';
import type { ListHead } from './list-kind.ts';
import { workedOnStatuses } from './list-status.ts';

interface RowsToDo {
  /** Rows without an outcome. */
  readonly left: number;
  /** Those of them that wait for mail hosts. */
  readonly waiting: number;
  /** Whether none can be asked for, because our port is closed. */
  readonly isPortClosed: boolean;
}

/** What a list does, in more detail than its status. */
export function runStateOf(
  { status, paused_at }: Pick<ListHead, 'status' | 'paused_at'>,
  rows: RowsToDo,
): RunState | null {
  if (status === 'FAILED') return 'failed';
  if (status === 'PREPARING') return paused_at === null ? 'preparing' : 'paused';
  if (status === 'PAUSED') return 'paused';
  if (status === 'FINISHING') return 'finishing';
  if (!workedOnStatuses.includes(status)) return null;
  const isWaiting = rows.left > 0 && (rows.isPortClosed || rows.waiting >= rows.left);
  return isWaiting ? 'waiting' : 'running';
}
