import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { LineChart } from '../../../shared/charts/line-chart.tsx';
import { AsyncSlot, RingSkeleton, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { Icon } from '../../../shared/components/icon.tsx';
import { VerdictDonut } from '../../../shared/list-summary/verdict-donut.tsx';
import { type RangeMetrics, useMetrics } from '../api/get-metrics.ts';
import { useChartOpen } from './chart-open.ts';
import { pointsOf, sumOf, totalsOf, type VerdictCounts } from './metrics-data.ts';
import { MetricsLegend } from './metrics-legend.tsx';
import classes from './metrics-panel.module.css';
import { DEFAULT_METRICS_RANGE, type MetricsRange, metricsRanges } from './metrics-range.ts';

const rangeOptions = Object.entries(metricsRanges).map(([value, { label }]) => ({ value, label }));

/** How many emails were verified lately, and what became of them. */
export function MetricsPanel() {
  const [range, setRange] = useState<MetricsRange>(DEFAULT_METRICS_RANGE);
  const [isOpen, setIsOpen] = useChartOpen();
  return (
    <section className={classes.root} aria-label="Emails verified">
      <div className={classes.head}>
        {isOpen ? (
          <NativeSelect
            className={classes.range}
            aria-label="Range of the chart"
            value={range}
            data={rangeOptions}
            onChange={(event) => setRange(event.currentTarget.value as MetricsRange)}
          />
        ) : (
          <p className={classes.closed}>{metricsRanges[range].label}</p>
        )}
        <Button
          variant="subtle"
          aria-expanded={isOpen}
          rightSection={<Icon name={isOpen ? 'less' : 'expand'} size={16} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide chart' : 'Show chart'}
        </Button>
      </div>
      {isOpen ? <Chart range={range} /> : null}
    </section>
  );
}

function Chart({ range }: { range: MetricsRange }) {
  const metrics = useMetrics(range);
  return (
    <AsyncSlot
      state={asyncStateOf(metrics)}
      name="chart"
      onRetry={() => void metrics.refetch()}
      skeleton={<FiguresSkeleton />}
    >
      {(loaded) => <Figures metrics={loaded} />}
    </AsyncSlot>
  );
}

const LINE_HEIGHT_PX = 160;
const DONUT_SIZE_PX = 128;

function Figures({ metrics: { range, entries } }: { metrics: RangeMetrics }) {
  const points = pointsOf(entries, range);
  const { label, groupBy, tickCount, lastName } = metricsRanges[range];
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
            {...(lastName && { lastName })}
            height={LINE_HEIGHT_PX}
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
        size={DONUT_SIZE_PX}
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
        <Skeleton height={`${LINE_HEIGHT_PX}px`} />
      </div>
      <div className={classes.share}>
        <RingSkeleton size={DONUT_SIZE_PX} />
        <span className={classes.legendBone}>
          <Skeleton height="7.5rem" />
        </span>
        <span className={classes.noteBone}>
          <Skeleton width="15rem" height="0.75em" />
        </span>
      </div>
    </div>
  );
}
