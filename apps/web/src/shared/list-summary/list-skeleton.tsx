import { RingSkeleton, Skeleton } from '../components/async-slot.tsx';
import classes from './list-skeleton.module.css';
import summary from './list-summary.module.css';

/** The shape of the page that is coming. */
export function ListSkeleton() {
  return (
    <>
      <div className={summary.root}>
        <span className={summary.donut}>
          <RingSkeleton />
        </span>
        <div className={classes.lines}>
          <Skeleton height="7rem" />
          <Skeleton width="11rem" height="2.25rem" />
        </div>
      </div>
      <div className={classes.lines}>
        <Skeleton width="6rem" height="1.5rem" />
        <Skeleton height="20rem" />
      </div>
    </>
  );
}
