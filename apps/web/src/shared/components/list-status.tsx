import { percentDone } from '../format/percent-done.ts';
import { Icon } from './icon.tsx';
import classes from './list-status.module.css';
import { ProgressRing } from './progress-ring.tsx';

interface ListStatusProps {
  list: { readonly name: string; readonly status: 'PENDING' | 'COMPLETE'; readonly progress: number };
  /** What the live line said last. */
  live: number | undefined;
}

/** How far a list is while it runs, and a check when it is done. */
export function ListStatus({ list, live }: ListStatusProps) {
  if (list.status === 'PENDING') {
    return <ProgressRing percent={percentDone(list.progress, live)} label={`Progress of ${list.name}`} />;
  }
  return (
    <span className={classes.done} role="img" aria-label="Complete" title="Complete">
      <Icon name="check" />
    </span>
  );
}
