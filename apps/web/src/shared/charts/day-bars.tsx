import { VisuallyHidden } from '@mantine/core';
import { Skeleton } from '../components/async-slot.tsx';
import { formatCredits } from '../format/counts.ts';
import { formatChartDay } from '../format/dates.ts';
import classes from './day-bars.module.css';

interface DayBarsProps {
  /** Credits of each day in UTC, such as 2026-11-16, without gaps. */
  days: readonly { readonly date: string; readonly credits: number }[];
  /** What was done with them. */
  verb: string;
}

/** The server counts in days of UTC. */
const dayLabel = (date: string): string => formatChartDay(date, 'UTC');

/** Credits by day as bars, below their sum. */
export function DayBars({ days, verb }: DayBarsProps) {
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  const highest = Math.max(1, ...days.map(({ credits }) => credits));
  const caption =
    total === 0
      ? `No credits ${verb} in the last ${days.length} days`
      : `${formatCredits(total)} ${total === 1 ? 'credit' : 'credits'} ${verb} in the last ${days.length} days`;
  return (
    <div>
      <p className={classes.caption} aria-hidden="true">
        {caption}
      </p>
      <div className={classes.plot} aria-hidden="true">
        {days.map(({ date, credits }) => (
          <div key={date} className={classes.day} title={`${dayLabel(date)}: ${formatCredits(credits)}`}>
            {credits === 0 ? null : (
              <div className={classes.bar} style={{ height: `${(credits / highest) * 100}%` }} />
            )}
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden="true">
        <span>{dayLabel(days[0]?.date ?? '')}</span>
        {total === 0 ? null : <span>highest day: {formatCredits(highest)}</span>}
        <span>{dayLabel(days.at(-1)?.date ?? '')}</span>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Credits</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ credits }) => credits > 0)
              .map(({ date, credits }) => (
                <tr key={date}>
                  <th scope="row">{dayLabel(date)}</th>
                  <td>{formatCredits(credits)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  );
}

/** As high as the chart that follows. */
export const DayBarsSkeleton = () => (
  <div aria-hidden="true">
    <p className={classes.caption}>
      <Skeleton width="16rem" height="1lh" />
    </p>
    <div className={classes.plot} />
    <div className={classes.axis}>
      <Skeleton width="3rem" height="1lh" />
      <Skeleton width="3rem" height="1lh" />
    </div>
  </div>
);
