import { Icon } from '../../../shared/components/icon.tsx';
import type { WarmUpFailure } from '../warm-up-failure.ts';
import classes from './failure-alert.module.css';

/** The last error, announced when it appears. */
export function FailureAlert({ failure }: { failure: WarmUpFailure | null }) {
  return (
    <div role="alert" className={classes.place}>
      {failure ? (
        <div className={classes.alert}>
          <Icon name="warning" />
          <div>
            <p className={classes.text}>{failure.message}</p>
            {failure.reason ? <p>{failure.reason}</p> : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}
