import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatCredits, formatShortCount } from '../../../shared/format/counts.ts';
import classes from './emails-line-chart.module.css';
import { areaPath, CHART_HEIGHT, type LineLayout, layOut, linePath, nearestPoint } from './line-layout.ts';
import { type ChartPoint, countTicksUpTo, ticksOf } from './metrics-data.ts';
import { type MetricsRange, metricsRanges } from './metrics-range.ts';

interface EmailsLineChartProps {
  points: readonly ChartPoint[];
  range: MetricsRange;
}

/** The emails of each day or month as a line. The pointer or the arrow keys choose a point, whose card is then shown. */
export function EmailsLineChart({ points, range }: EmailsLineChartProps) {
  const { ref, width } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const { label, groupBy, tickCount } = metricsRanges[range];
  const countTicks = countTicksUpTo(Math.max(...points.map(({ emails }) => emails)));
  const layout = layOut(points, { width, highestTick: countTicks.at(-1) ?? 1, tickCount });
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
        style={{ height: CHART_HEIGHT }}
        role="slider"
        tabIndex={0}
        aria-label={`${label}, by ${groupBy === 'DAY' ? 'day' : 'month'}`}
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={active ?? last}
        aria-valuetext={wordsOf(points[active ?? last])}
        onKeyDown={move}
        onFocus={() => setChosen((before) => before ?? last)}
        onBlur={() => setChosen(null)}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setChosen(null)}
      >
        {width > 0 ? (
          <svg width={width} height={CHART_HEIGHT} aria-hidden="true">
            <CountAxis ticks={countTicks} layout={layout} />
            <DateAxis points={points} ticks={ticksOf(points.length, tickCount)} layout={layout} />
            <path className={classes.area} d={areaPath(layout)} />
            <path className={classes.line} d={linePath(layout)} />
            <Dots layout={layout} active={active} />
          </svg>
        ) : null}
        {active === null ? null : (
          <PointCard point={points[active]} x={layout.places[active]?.x ?? 0} width={width} />
        )}
      </div>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{groupBy === 'DAY' ? 'Day' : 'Month'}</th>
              <th scope="col">Emails</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                <td>{formatCredits(point.emails)}</td>
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
  ticks: readonly number[];
  layout: LineLayout;
}

function DateAxis({ points, ticks, layout: { bottom, places, isTilted } }: DateAxisProps) {
  return points.map(({ label }, index) => {
    const x = places[index]?.x ?? 0;
    const y = bottom + (isTilted ? 12 : 20);
    return (
      <g key={label}>
        <line className={classes.rule} x1={x} x2={x} y1={bottom} y2={bottom + 4} />
        {ticks.includes(index) ? (
          <text
            className={classes.label}
            x={x}
            y={y}
            textAnchor={isTilted ? 'end' : 'middle'}
            transform={isTilted ? `rotate(-45 ${x} ${y})` : undefined}
          >
            {label}
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

function PointCard({ point, x, width }: { point: ChartPoint | undefined; x: number; width: number }) {
  return (
    <div
      className={classes.card}
      style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
      aria-hidden="true"
    >
      <strong>{point?.label}</strong>
      <span>{emailsOf(point)}</span>
    </div>
  );
}

const emailsOf = (point: ChartPoint | undefined): string =>
  `${formatCredits(point?.emails ?? 0)} ${point?.emails === 1 ? 'email' : 'emails'}`;

const wordsOf = (point: ChartPoint | undefined): string => `${point?.label ?? ''}: ${emailsOf(point)}`;

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
