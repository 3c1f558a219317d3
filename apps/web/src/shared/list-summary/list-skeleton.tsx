import { LineSkeleton, RingSkeleton, Skeleton } from '../components/async-slot.tsx';
import facts from '../lists/list-facts.module.css';
import cards from './category-cards.module.css';
import classes from './list-skeleton.module.css';
import summary from './list-summary.module.css';

/** As large as the facts and results of a list that follow. */
export function ListSkeleton({ hasSafeDownload = false }) {
  return (
    <>
      <dl className={facts.root}>
        {factWidths.map(([name, width]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <LineSkeleton width={width} />
            </dd>
          </div>
        ))}
      </dl>
      <div className={summary.root}>
        <span className={summary.donut}>
          <RingSkeleton />
        </span>
        <div className={summary.choice}>
          <fieldset className={cards.root}>
            <legend className={cards.legend}>Results to download</legend>
            {['first', 'second', 'third', 'fourth'].map((card) => (
              <div key={card} className={`${cards.card} ${classes.card}`}>
                <LineSkeleton width="5rem" />
                <strong className={cards.count}>
                  <LineSkeleton width="2rem" />
                </strong>
                <span className={cards.share}>
                  <LineSkeleton width="2rem" />
                </span>
              </div>
            ))}
          </fieldset>
          {hasSafeDownload ? (
            <div className={classes.safe}>
              <Skeleton width="13rem" height="var(--control-height)" />
              <span className={classes.why} />
            </div>
          ) : null}
          <div className={`${summary.downloads} ${classes.downloads}`}>
            <Skeleton width="11rem" height="var(--control-height)" />
            <Skeleton width="9rem" height="var(--control-height)" />
          </div>
        </div>
      </div>
    </>
  );
}

const factWidths = [
  ['File', '5rem'],
  ['Rows', '2rem'],
  ['Excluded', '2rem'],
  ['Credits charged', '2rem'],
  ['Started', '7.5rem'],
  ['Ended', '7.5rem'],
] as const;
