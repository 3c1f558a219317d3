import { Progress } from '@mantine/core';
import classes from './processing-notice.module.css';

/** Stands on the page for as long as a list is not complete. `what` names what the bar counts. */
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
