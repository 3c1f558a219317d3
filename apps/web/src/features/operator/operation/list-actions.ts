import type { RunState } from '@assay/contract';
import type { OperatorList } from '@assay/contract/operator';

export type ListAction = 'restart' | 'pause' | 'resume' | 'finish';

const actionsIn: Readonly<Record<RunState, readonly ListAction[]>> = {
  preparing: ['restart', 'pause'],
  failed: [],
  running: ['restart', 'pause', 'finish'],
  waiting: ['restart', 'pause', 'finish'],
  paused: ['resume', 'finish'],
  finishing: ['restart'],
};

/** What an operator can do with a list. One that is being prepared, paused or not, has no rows yet to finish without. */
export function listActionsOf({
  run_state,
  is_preparing,
}: Pick<OperatorList, 'run_state' | 'is_preparing'>): readonly ListAction[] {
  if (run_state === null) return [];
  return actionsIn[run_state].filter((action) => action !== 'finish' || !is_preparing);
}
