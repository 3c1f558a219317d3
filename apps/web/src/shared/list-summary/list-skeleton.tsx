import { RingSkeleton, Skeleton } from '../components/async-slot.tsx';
import classes from './list-skeleton.module.css';
import summary from './list-summary.module.css';

/** The shape of the page that is coming. */
export function ListSkeleton() {
  return (
    <>
      <div className={classes.facts}>
        <Skeleton width="24rem" height="2.5rem" />
      </div>
      <div className={summary.root}>
        <span className={summary.donut}>
          <RingSkeleton />
        </span>
        <div className={classes.lines}>
          <Skeleton height="9rem" />
          <Skeleton width="11rem" height="2.25rem" />
          <Skeleton width="11rem" height="2.25rem" />
        </div>
      </div>
      <div className={classes.lines}>
        <Skeleton width="6rem" height="2rem" />
        <Skeleton height="2.25rem" />
        <Skeleton height="20rem" />
      </div>
    </>
  );
}
