import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { Skeleton } from '../components/async-slot.tsx';
import { formatCredits } from '../format/counts.ts';
import { formatChartDay } from '../format/dates.ts';
import classes from './day-bars.module.css';

interface Day {
  /** In UTC, such as 2026-11-16. */
  readonly date: string;
  readonly credits: number;
}

interface DayBarsProps {
  /** Without gaps. */
  days: readonly Day[];
  /** What was done with the credits. */
  verb: string;
}

/** The server counts in days of UTC. */
const dayLabel = (date: string): string => formatChartDay(date, 'UTC');
const creditWords = (credits: number): string =>
  `${formatCredits(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
const dayWords = ({ date, credits }: Day): string => `${dayLabel(date)}: ${creditWords(credits)}`;

/** Credits by day as bars, below their sum, or below the day that the pointer, a finger or the arrow keys have chosen. */
export function DayBars({ days, verb }: DayBarsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  const highest = Math.max(1, ...days.map(({ credits }) => credits));
  const period = `${verb} in the last ${days.length} days`;
  const caption = total === 0 ? `No credits ${period}` : `${creditWords(total)} ${period}`;
  const day = chosen === null ? undefined : days[chosen];
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * days.length);
    setChosen(Math.min(days.length - 1, Math.max(0, place)));
  };
  const move = (event: KeyboardEvent) => {
    const next = nextDay(event.key, chosen, days.length);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
  };
  return (
    <div>
      <p className={classes.caption} aria-hidden="true">
        {day ? dayWords(day) : caption}
      </p>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={`Credits ${verb} by day`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(chosen ?? days.length - 1) + 1}
        aria-valuetext={day ? dayWords(day) : caption}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
        onKeyDown={move}
      >
        {days.map(({ date, credits }, index) => (
          <div key={date} className={classes.day} data-chosen={index === chosen}>
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

/** The day that a key leads to, from the last one on; undefined for other keys. */
function nextDay(key: string, chosen: number | null, count: number): number | null | undefined {
  const from = chosen ?? count;
  const within = (place: number) => Math.min(count - 1, Math.max(0, place));
  const steps: Readonly<Record<string, number | null>> = {
    ArrowLeft: within(from - 1),
    ArrowDown: within(from - 1),
    ArrowRight: within(from + 1),
    ArrowUp: within(from + 1),
    Home: 0,
    End: count - 1,
  };
  return steps[key];
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
