import type { OperatorList } from '@assay/contract/operator';
import { useState } from 'react';
import type { RowAction } from '../../../shared/components/data-grid/row-action.ts';
import { useMay } from '../operator-api.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { type ListAction, listActionsOf } from './list-actions.ts';

type ListToControl = Pick<OperatorList, 'id' | 'owner_id' | 'kind' | 'name' | 'run_state' | 'is_preparing'>;

const actions = {
  restart: {
    call: 'restartList',
    label: 'Restart',
    icon: 'retry',
    effect: 'Rows without a result are checked again.',
    done: 'List restarted.',
  },
  pause: {
    call: 'pauseList',
    label: 'Pause',
    icon: 'pause',
    effect: 'No more rows are checked until you or the customer resume it.',
    done: 'List paused.',
  },
  resume: {
    call: 'resumeList',
    label: 'Resume',
    icon: 'resume',
    effect: 'Rows without a result are checked.',
    done: 'List resumed.',
  },
  finish: {
    call: 'finishList',
    label: 'Finish now',
    icon: 'finish',
    effect: 'Rows without a result become unknown and cost nothing. This cannot be undone.',
    done: 'List is being finished.',
  },
} as const satisfies Record<ListAction, object>;

/** The menu of lists that are not complete, and the dialog that it opens. */
export function useListControl() {
  const may = useMay();
  const [chosen, setChosen] = useState<{ list: ListToControl; action: ListAction } | null>(null);
  const menuOf = (list: ListToControl): RowAction[] =>
    listActionsOf(list)
      .filter((action) => may(actions[action].call))
      .map((action) => ({
        label: actions[action].label,
        icon: actions[action].icon,
        onSelect: () => setChosen({ list, action }),
      }));
  const dialog = chosen ? <ListDialog {...chosen} onClose={() => setChosen(null)} /> : null;
  return { menuOf, dialog };
}

interface ListDialogProps {
  list: ListToControl;
  action: ListAction;
  onClose: () => void;
}

function ListDialog({ list: { id, owner_id, kind, name }, action, onClose }: ListDialogProps) {
  const { call, label, effect, done } = actions[action];
  return (
    <ReasonDialog
      title={`${label}: ${name}`}
      confirmLabel={label}
      send={(api, reason) => api[call]({ params: { list_id: id }, body: { owner_id, kind, reason } })}
      done={done}
      onClose={onClose}
    >
      <p>{effect}</p>
    </ReasonDialog>
  );
}
