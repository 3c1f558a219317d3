import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatCredits, formatShortCount } from '../format/counts.ts';
import classes from './line-chart.module.css';
import {
  areaPath,
  axisLines,
  type ChartPoint,
  countTicksUpTo,
  type LineLayout,
  layOut,
  linePath,
  nearestPoint,
} from './line-layout.ts';

interface Unit {
  readonly one: string;
  readonly many: string;
}

interface LineChartProps {
  points: readonly ChartPoint[];
  title: string;
  step: 'minute' | 'hour' | 'day' | 'month';
  /** What is counted: 'email', 'emails'. */
  unit: Unit;
  /** How many points are named below the axis. */
  tickCount: number;
  /** A word for the last point, which is named in addition. */
  lastName?: string;
  /** In px. */
  height: number;
}

/** A count of each minute, hour, day or month as a line. The pointer or the arrow keys choose a point, whose card is then shown. */
export function LineChart({ points, title, step, unit, tickCount, lastName, height }: LineChartProps) {
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const countTicks = countTicksUpTo(Math.max(...points.map(({ count }) => count)));
  const highestTick = countTicks.at(-1) ?? 1;
  const layout = layOut(points, { width, height, highestTick, tickCount, lastName });
  const last = points.length - 1;
  const active = chosen === null ? null : Math.min(chosen, last);

  const follow = (event: PointerEvent<HTMLDivElement>) =>
    setChosen(nearestPoint(layout, event.clientX - event.currentTarget.getBoundingClientRect().left));
  const move = (event: KeyboardEvent) => {
    const target = targetOfKey(event.key, active ?? last, last);
    if (target === undefined) return;
    event.preventDefault();
    setChosen(target);
  };

  return (
    <>
      <div
        ref={ref}
        className={classes.root}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by ${step}`}
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={active ?? last}
        aria-valuetext={wordsOf(points[active ?? last], unit)}
        onKeyDown={move}
        onFocus={() => setChosen((before) => before ?? last)}
        onBlur={() => setChosen(null)}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setChosen(null)}
      >
        {width > 0 ? (
          <svg width={width} height={height} aria-hidden="true">
            <CountAxis ticks={countTicks} layout={layout} />
            <DateAxis points={points} layout={layout} lastName={lastName} />
            <path className={classes.area} d={areaPath(layout)} />
            <path className={classes.line} d={linePath(layout)} />
            <Dots layout={layout} active={active} />
          </svg>
        ) : null}
        {active === null ? null : (
          <PointCard point={points[active]} unit={unit} x={layout.places[active]?.x ?? 0} width={width} />
        )}
      </div>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{capitalised(step)}</th>
              <th scope="col">{capitalised(unit.many)}</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                <td>{formatCredits(point.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}

function CountAxis({ ticks, layout }: { ticks: readonly number[]; layout: LineLayout }) {
  return ticks.map((count) => (
    <g key={count}>
      <line
        className={classes.rule}
        x1={layout.left}
        x2={layout.right}
        y1={layout.heightOf(count)}
        y2={layout.heightOf(count)}
      />
      <text
        className={classes.label}
        x={layout.left - 12}
        y={layout.heightOf(count)}
        dy="0.35em"
        textAnchor="end"
      >
        {formatShortCount(count)}
      </text>
    </g>
  ));
}

interface DateAxisProps {
  points: readonly ChartPoint[];
  layout: LineLayout;
  lastName: string | undefined;
}

function DateAxis({ points, layout: { bottom, places, ticks, isStacked }, lastName }: DateAxisProps) {
  return points.map(({ label }, index) => {
    const x = places[index]?.x ?? 0;
    return (
      <g key={label}>
        <line className={classes.rule} x1={x} x2={x} y1={bottom} y2={bottom + 4} />
        {ticks.includes(index) ? (
          <text className={classes.label} y={bottom + 20} textAnchor="middle">
            {axisLines(points, index, { isStacked, lastName }).map((line, place) => (
              <tspan key={line} x={x} dy={place === 0 ? 0 : '1.2em'}>
                {line}
              </tspan>
            ))}
          </text>
        ) : null}
      </g>
    );
  });
}

/** Every point of a short line has a dot; of a long one only the chosen point. */
function Dots({ layout: { places, top, bottom }, active }: { layout: LineLayout; active: number | null }) {
  const chosen = active === null ? undefined : places[active];
  return (
    <>
      {chosen ? <line className={classes.guide} x1={chosen.x} x2={chosen.x} y1={top} y2={bottom} /> : null}
      {places.length <= 12
        ? places.map(({ x, y }) => <circle key={x} className={classes.dot} cx={x} cy={y} r={3} />)
        : null}
      {chosen ? <circle className={classes.dot} cx={chosen.x} cy={chosen.y} r={5} /> : null}
    </>
  );
}

interface PointCardProps {
  point: ChartPoint | undefined;
  unit: Unit;
  x: number;
  width: number;
}

function PointCard({ point, unit, x, width }: PointCardProps) {
  return (
    <div
      className={classes.card}
      style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
      aria-hidden="true"
    >
      <strong>{point?.label}</strong>
      <span>{countOf(point, unit)}</span>
    </div>
  );
}

const countOf = (point: ChartPoint | undefined, { one, many }: Unit): string =>
  `${formatCredits(point?.count ?? 0)} ${point?.count === 1 ? one : many}`;

const wordsOf = (point: ChartPoint | undefined, unit: Unit): string =>
  `${point?.label ?? ''}: ${countOf(point, unit)}`;

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

function targetOfKey(key: string, from: number, last: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.min(last, Math.max(0, target));
}
