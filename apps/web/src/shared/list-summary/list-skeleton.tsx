import { RingSkeleton, Skeleton } from '../components/async-slot.tsx';
import facts from '../lists/list-facts.module.css';
import cards from './category-cards.module.css';
import classes from './list-skeleton.module.css';
import summary from './list-summary.module.css';

/** The shape of the page that is coming: facts, results, and the rows of the list. */
export function ListSkeleton() {
  return (
    <>
      <div className={facts.root}>
        {repeat(5).map((fact) => (
          <div key={fact}>
            <Line width="4rem" />
            <Line width="6.5rem" />
          </div>
        ))}
      </div>
      <div className={summary.root}>
        <span className={summary.donut}>
          <RingSkeleton />
        </span>
        <div className={classes.choice}>
          <div>
            <Line width="8rem" />
            <div className={cards.root}>
              {repeat(4).map((card) => (
                <div key={card} className={`${cards.card} ${classes.card}`}>
                  <Skeleton width="5rem" height="1.25rem" />
                  <Skeleton width="2.5rem" height="1.5rem" />
                  <Skeleton width="2rem" height="0.75rem" />
                </div>
              ))}
            </div>
          </div>
          <Skeleton width="13rem" height="2.25rem" />
          <Skeleton width="11rem" height="2.25rem" />
        </div>
      </div>
      <div className={classes.tools}>
        <Skeleton width="6rem" height="1.5rem" />
        <Skeleton width="16rem" height="2.25rem" />
      </div>
      <div className={classes.rows}>
        {repeat(6).map((row) => (
          <div key={row} className={classes.row}>
            <Line width="14rem" />
            <Line width="6rem" />
            <Line width="20rem" />
          </div>
        ))}
      </div>
    </>
  );
}

const repeat = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

/** As high as a line of text. */
const Line = ({ width }: { width: string }) => (
  <span className={classes.line}>
    <Skeleton width={width} height="0.75em" />
  </span>
);
