import { LineSkeleton, RingSkeleton, Skeleton } from '../components/async-slot.tsx';
import facts from '../lists/list-facts.module.css';
import cards from './category-cards.module.css';
import classes from './list-skeleton.module.css';
import summary from './list-summary.module.css';

/** As large as the strip of results that follows. */
export function ListSkeleton({ hasSafeDownload = false }) {
  return (
    <div className={summary.box}>
      <div className={summary.root}>
        <span className={summary.donut}>
          <RingSkeleton size="100%" />
        </span>
        <div className={summary.cards}>
          <div className={cards.root}>
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
          </div>
        </div>
        <div className={`${summary.downloads} ${classes.downloads}`}>
          {hasSafeDownload ? <Skeleton width="12rem" height="var(--control-height)" /> : null}
          <Skeleton width="11rem" height="var(--control-height)" />
          <Skeleton width="9rem" height="var(--control-height)" />
        </div>
        <div className={summary.facts}>
          <div className={facts.root}>
            <LineSkeleton width="min(100%, 32rem)" />
          </div>
        </div>
      </div>
    </div>
  );
}
