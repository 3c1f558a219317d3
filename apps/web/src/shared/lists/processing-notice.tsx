import { Progress } from '@mantine/core';
import classes from './processing-notice.module.css';

/** Shown until a list is complete. `what` names the unit of the bar. */
export function ProcessingNotice({ percent, what }: { percent: number; what: string }) {
  return (
    <section className={classes.root} aria-label="Progress">
      <p className={classes.line}>
        <span>This list is still being processed</span>
        <strong>{percent}%</strong>
      </p>
      <Progress.Root size="sm">
        <Progress.Section value={percent} color="var(--assay-accent)" aria-label={what} />
      </Progress.Root>
    </section>
  );
}
