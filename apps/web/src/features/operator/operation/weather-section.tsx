import { type OperatorWeather, WEATHER_DAYS, type WeatherPlace } from '@assay/contract/operator';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { LineChart } from '../../../shared/charts/line-chart.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate, formatTime } from '../../../shared/format/dates.ts';
import { LocalGrid } from '../local-grid.tsx';
import classes from '../operator.module.css';
import { useWeather } from '../operator-api.ts';
import { shareText } from '../operator-words.ts';
import { chartPoints, limitWords, placeName } from './weather-words.ts';

const CHART_HEIGHT_PX = 224;

/** How mail providers answer each egress address, and which limit holds there. */
export function WeatherSection() {
  const [days, setDays] = useState<number>(1);
  const weather = useWeather(days);
  const { data, isFetching, isError } = weather;
  return (
    <div className={classes.stack}>
      <p className={classes.note}>
        How mail providers answered within the last hour, through each egress address. Hosts without published
        limits count together. What our own limits held back was not asked.
      </p>
      <Section title="Last hour">
        <LocalGrid
          name="weather"
          columns={[
            { header: 'Provider', cell: ({ provider }) => placeName(provider) },
            { header: 'Egress', cell: ({ egress }) => egress },
            {
              header: 'Answers per second',
              cell: (place) => (askedOf(place) / 3_600).toFixed(2),
              align: 'end',
              compact: 'labelled',
            },
            {
              header: 'Deferred',
              cell: (place) => partOf(place, 'deferred'),
              align: 'end',
              compact: 'labelled',
            },
            {
              header: 'Blocked',
              cell: (place) => partOf(place, 'blocked'),
              align: 'end',
              compact: 'labelled',
            },
            {
              header: 'Timed out',
              cell: (place) => partOf(place, 'timed_out'),
              align: 'end',
              compact: 'labelled',
            },
            {
              header: 'Held back',
              cell: ({ held_back }) => formatCredits(held_back),
              align: 'end',
              compact: 'labelled',
            },
            { header: 'Limit', cell: ({ limit }) => limitWords(limit), isText: true },
          ]}
          rows={asyncStateOf({ data: data && { results: data.places }, isFetching, isError })}
          rowKey={({ egress, provider }) => `${egress} ${provider}`}
          onRetry={() => void weather.refetch()}
          empty={<EmptyState icon="verification" title="No mail host was asked in the last hour" />}
        />
      </Section>
      <Charts points={data?.points ?? []} days={days} onDaysChange={setDays} />
    </div>
  );
}

const askedOf = ({ answered, deferred, blocked, timed_out }: WeatherPlace): number =>
  answered + deferred + blocked + timed_out;

const partOf = (place: WeatherPlace, kind: 'deferred' | 'blocked' | 'timed_out'): string =>
  shareText(place[kind], askedOf(place));

interface ChartsProps {
  points: OperatorWeather['points'];
  days: number;
  onDaysChange: (days: number) => void;
}

function Charts({ points, days, onDaysChange }: ChartsProps) {
  const [wanted, setWanted] = useState<string>('');
  const providers = [...new Set(points.map(({ provider }) => provider))].sort();
  const provider = providers.includes(wanted) ? wanted : (providers[0] ?? '');
  const step = days === 1 ? 'hour' : 'day';
  const nameOf = (date: string) => (step === 'hour' ? formatTime(date) : formatDate(date));
  const charts = [
    ['Answers', 'answer', 'answers', ['answered']],
    ['Deferred, blocked or timed out', 'question', 'questions', ['deferred', 'blocked', 'timed_out']],
  ] as const;
  return (
    <Section
      title="Over time"
      action={
        <div className={classes.tools}>
          <NativeSelect
            aria-label="Provider"
            value={provider}
            data={providers.map((name) => ({ value: name, label: placeName(name) }))}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <NativeSelect
            aria-label="Period"
            value={String(days)}
            data={WEATHER_DAYS.map((count) => ({
              value: String(count),
              label: count === 1 ? 'Last day' : `Last ${count} days`,
            }))}
            onChange={({ currentTarget }) => onDaysChange(Number(currentTarget.value))}
          />
        </div>
      }
    >
      {provider === '' ? (
        <EmptyState icon="verification" title="No mail host was asked in this time" />
      ) : (
        charts.map(([title, one, many, kinds]) => (
          <div key={title}>
            <h3>{`${title} per ${step}`}</h3>
            <LineChart
              points={chartPoints(points, { provider, kinds, days, now: Date.now() }).map(
                ({ date, count }) => ({
                  label: nameOf(date),
                  count,
                }),
              )}
              title={`${title}, ${placeName(provider)}`}
              step={step}
              unit={{ one, many }}
              tickCount={6}
              height={CHART_HEIGHT_PX}
            />
          </div>
        ))
      )}
    </Section>
  );
}
