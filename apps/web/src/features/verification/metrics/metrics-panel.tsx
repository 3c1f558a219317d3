import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { LineChart } from '../../../shared/charts/line-chart.tsx';
import { AsyncSlot, RingSkeleton, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { VerdictDonut } from '../../../shared/list-summary/verdict-donut.tsx';
import { type RangeMetrics, useMetrics } from '../api/get-metrics.ts';
import { pointsOf, sumOf, totalsOf, type VerdictCounts } from './metrics-data.ts';
import { MetricsLegend } from './metrics-legend.tsx';
import classes from './metrics-panel.module.css';
import { DEFAULT_METRICS_RANGE, type MetricsRange, metricsRanges } from './metrics-range.ts';

const rangeOptions = Object.entries(metricsRanges).map(([value, { label }]) => ({ value, label }));

/** How many emails were verified lately, and what became of them. */
export function MetricsPanel() {
  const [range, setRange] = useState<MetricsRange>(DEFAULT_METRICS_RANGE);
  const metrics = useMetrics(range);
  return (
    <section className={classes.root} aria-label="Emails verified">
      <NativeSelect
        className={classes.range}
        aria-label="Range of the chart"
        value={range}
        data={rangeOptions}
        onChange={(event) => setRange(event.currentTarget.value as MetricsRange)}
      />
      <AsyncSlot
        state={asyncStateOf(metrics)}
        name="chart"
        onRetry={() => void metrics.refetch()}
        skeleton={<FiguresSkeleton />}
      >
        {(loaded) => <Figures metrics={loaded} />}
      </AsyncSlot>
    </section>
  );
}

function Figures({ metrics: { range, entries } }: { metrics: RangeMetrics }) {
  const points = pointsOf(entries, range);
  const { label, groupBy, tickCount } = metricsRanges[range];
  const totals = totalsOf(entries);
  const emailCount = sumOf(Object.values(totals));
  return (
    <div className={classes.figures}>
      <div className={classes.line}>
        {emailCount === 0 ? (
          <p className={classes.nothing}>No available data to display.</p>
        ) : (
          <LineChart
            points={points}
            title={label}
            step={groupBy === 'DAY' ? 'day' : 'month'}
            unit={{ one: 'email', many: 'emails' }}
            tickCount={tickCount}
          />
        )}
      </div>
      <div className={classes.share}>
        {emailCount === 0 ? (
          <p className={classes.nothing}>No verified emails yet.</p>
        ) : (
          <VerdictShare totals={totals} emailCount={emailCount} />
        )}
      </div>
    </div>
  );
}

const verdictOrder = ['PENDING', 'VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN'] as const;

function VerdictShare({ totals, emailCount }: { totals: VerdictCounts; emailCount: number }) {
  const counts = verdictOrder.map((verdict) => ({ verdict, count: totals[verdict] }));
  return (
    <>
      <VerdictDonut
        counts={counts}
        middle={{ count: emailCount, caption: emailCount === 1 ? 'email' : 'emails' }}
      />
      <MetricsLegend counts={counts} />
    </>
  );
}

function FiguresSkeleton() {
  return (
    <div className={classes.figures}>
      <div className={classes.line}>
        <Skeleton height="14rem" />
      </div>
      <div className={classes.share}>
        <RingSkeleton />
        <Skeleton width="9rem" height="9rem" />
      </div>
    </div>
  );
}
