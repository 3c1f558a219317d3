import { Progress } from '@mantine/core';
import classes from './processing-notice.module.css';

/** Stands on the page for as long as a list is not complete. */
export function ProcessingNotice({ percent }: { percent: number }) {
  return (
    <section className={classes.root} aria-label="Progress">
      <p className={classes.line}>
        <span>This list is still being processed</span>
        <strong>{percent}%</strong>
      </p>
      <Progress.Root size="sm">
        <Progress.Section value={percent} color="var(--assay-accent)" aria-label="Emails verified" />
      </Progress.Root>
    </section>
  );
}
