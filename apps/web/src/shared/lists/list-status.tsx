import { Icon } from '../components/icon.tsx';
import { ProgressRing } from '../components/progress-ring.tsx';
import { percentDone } from '../format/percent-done.ts';
import type { AnyList } from './any-list.ts';
import classes from './list-status.module.css';
import { runStateWords } from './run-state-words.ts';

/** How far a list is while it runs, and a check when it is done. */
export function ListStatus({ list }: { list: AnyList }) {
  if (list.status === 'PENDING') {
    const state = runStateWords(list.run_state);
    return (
      <span className={classes.running}>
        <ProgressRing percent={percentDone(list)} label={`Progress of ${list.name}`} />
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
