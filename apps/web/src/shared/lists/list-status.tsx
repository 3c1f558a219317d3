import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/progress-ring.tsx';
import { formatShortCount } from '../format/counts.ts';
import { percentDone } from '../format/percent-done.ts';
import type { AnyList } from './any-list.ts';
import classes from './list-status.module.css';
import { percentPrepared, preparingWords } from './preparation-words.ts';
import { runStateWords } from './run-state-words.ts';

/** How far a list is while it runs, and a check when it is done. */
export function ListStatus({ list }: { list: AnyList }) {
  if (list.run_state === 'failed') {
    return (
      <span className={classes.failed} title={list.preparation?.problem?.message}>
        <Icon name="warning" />
        Failed
      </span>
    );
  }
  if (list.status === 'PENDING') {
    const isPreparing = list.run_state === 'preparing';
    const state = isPreparing ? preparingWords(list, formatShortCount) : runStateWords(list.run_state);
    return (
      <span className={classes.running}>
        <ProgressRing
          percent={isPreparing ? percentPrepared(list) : percentDone(list)}
          label={isPreparing ? `Rows copied of ${list.name}` : `Progress of ${list.name}`}
        />
        {state ? <span className={classes.state}>{state}</span> : null}
      </span>
    );
  }
  return (
    <span className={classes.done} role="img" aria-label="Complete" title="Complete">
      <Icon name="check" />
    </span>
  );
}
