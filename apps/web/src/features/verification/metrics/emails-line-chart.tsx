import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import { formatCredits, formatShortCount } from '../../../shared/format/counts.ts';
import { type ChartPoint, countTicksUpTo, ticksOf } from './metrics-data.ts';
import { type MetricsRange, metricsRanges } from './metrics-range.ts';

interface EmailsLineChartProps {
  points: ChartPoint[];
  range: MetricsRange;
}

const labelText = { fontSize: 11, fill: 'currentColor' };

/** Where not all fit, every second or third is left out. The padding makes room for the last one at the edge. */
const levelLabels = {
  interval: 'equidistantPreserveStart',
  minTickGap: 2,
  padding: { right: 22, left: 8 },
  tick: { ...labelText, transform: 'translate(0, 10)' },
} as const;

/** Twelve labels are too wide side by side, so they are tilted. */
const tiltedLabels = {
  interval: 0,
  angle: -45,
  textAnchor: 'end',
  height: 46,
  padding: { right: 8, left: 16 },
  tick: labelText,
} as const;

/** The chart library is heavy: import this file lazily. */
export function EmailsLineChart({ points, range }: EmailsLineChartProps) {
  const { label, groupBy, tickCount } = metricsRanges[range];
  const countTicks = countTicksUpTo(Math.max(...points.map(({ emails }) => emails)));
  return (
    <>
      <LineChart
        h="14rem"
        data={points}
        dataKey="label"
        series={[{ name: 'emails', label: 'Emails', color: 'var(--assay-ink)' }]}
        curveType="linear"
        strokeWidth={1.75}
        withDots={points.length <= 12}
        dotProps={{ r: 3 }}
        activeDotProps={{ r: 5 }}
        tickLine="none"
        gridColor="var(--assay-line)"
        strokeDasharray="0"
        valueFormatter={formatCredits}
        xAxisProps={{ ticks: ticksOf(points, tickCount), ...(tickCount > 6 ? tiltedLabels : levelLabels) }}
        yAxisProps={{
          ticks: countTicks,
          domain: [0, countTicks.at(-1) ?? 1],
          tickFormatter: formatShortCount,
          width: 40,
        }}
        // Room for the highest number, which else is moved below its line.
        lineChartProps={{ margin: { top: 8 } }}
        accessibilityLayer={false}
        aria-hidden="true"
      />
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
