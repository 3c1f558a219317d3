import type { OperatorEgress, OperatorOverview, OperatorProcess } from '@assay/contract/operator';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { LineChart } from '../../../shared/charts/line-chart.tsx';
import { AsyncSlot, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { VerdictBar } from '../../../shared/components/verdict-bar.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDateTime, formatTime } from '../../../shared/format/dates.ts';
import classes from '../operator.module.css';
import { useOverview } from '../operator-api.ts';
import { bytesText, durationText, shareText } from '../operator-words.ts';

const CHART_HEIGHT_PX = 224;

export function OverviewSection() {
  const overview = useOverview();
  return (
    <AsyncSlot
      state={asyncStateOf(overview)}
      name="overview"
      onRetry={() => void overview.refetch()}
      skeleton={<OverviewSkeleton />}
    >
      {(data) => (
        <div className={classes.stack}>
          <Tiles overview={data} />
          <div className={classes.halves}>
            <MinuteChart
              overview={data}
              title="Checks per minute"
              unit={{ one: 'check', many: 'checks' }}
              countOf={({ checks }) => totalOf(checks)}
              empty="No checks in the last hour."
              icon="verification"
            />
            <MinuteChart
              overview={data}
              title="Errors per minute"
              unit={{ one: 'error', many: 'errors' }}
              countOf={({ errors, failed_jobs }) => errors + failed_jobs}
              empty="No errors in the last hour."
              icon="check"
            />
          </div>
          <Providers overview={data} />
          <div className={classes.halves}>
            <Queues overview={data} />
            <Errors overview={data} />
          </div>
          <Processes processes={data.processes} />
          <Egresses egresses={data.egresses} />
        </div>
      )}
    </AsyncSlot>
  );
}

type Counts = OperatorOverview['minutes'][number]['checks'];
const totalOf = ({ valid, invalid, catch_all, unknown }: Counts): number =>
  valid + invalid + catch_all + unknown;

/** A tenth of the disk, below which uploads begin to fail soon. */
const freeShareMin = 0.1;
const queueAgeMaxSeconds = 300;

function Tiles({ overview }: { overview: OperatorOverview }) {
  const { minutes, queues, disk, dead_letters, stuck_lists } = overview;
  const sum = (of: (minute: OperatorOverview['minutes'][number]) => number) =>
    minutes.reduce((total, minute) => total + of(minute), 0);
  const checks = sum((minute) => totalOf(minute.checks));
  const errors = sum((minute) => minute.errors + minute.failed_jobs);
  const queueAge = Math.max(0, ...queues.map(({ oldest_seconds }) => oldest_seconds ?? 0));
  const tiles: readonly { name: string; value: string; isAlert?: boolean }[] = [
    { name: 'Queue age', value: durationText(queueAge), isAlert: queueAge > queueAgeMaxSeconds },
    { name: 'Checks, last hour', value: formatCredits(checks) },
    {
      name: 'Unknown, last hour',
      value: shareText(
        sum(({ checks: { unknown } }) => unknown),
        checks,
      ),
    },
    { name: 'Errors, last hour', value: formatCredits(errors), isAlert: errors > 0 },
    { name: 'Dead letters', value: formatCredits(dead_letters), isAlert: dead_letters > 0 },
    { name: 'Stuck lists', value: formatCredits(stuck_lists), isAlert: stuck_lists > 0 },
    {
      name: 'Disk free',
      value: disk ? bytesText(disk.free_bytes) : 'Object store',
      isAlert: disk !== null && disk.free_bytes < freeShareMin * disk.total_bytes,
    },
    { name: 'Database', value: bytesText(overview.database_bytes) },
    {
      name: 'Last backup',
      value: overview.last_backup_date ? formatDateTime(overview.last_backup_date) : 'None recorded',
      isAlert: overview.last_backup_date === null,
    },
  ];
  return (
    <dl className={classes.tiles}>
      {tiles.map(({ name, value, isAlert = false }) => (
        <div key={name} className={classes.tile} data-alert={isAlert}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface MinuteChartProps {
  overview: OperatorOverview;
  title: string;
  unit: { one: string; many: string };
  countOf: (minute: OperatorOverview['minutes'][number]) => number;
  empty: string;
  icon: ComponentProps<typeof EmptyState>['icon'];
}

function MinuteChart({ overview, title, unit, countOf, empty, icon }: MinuteChartProps) {
  const points = overview.minutes.map((minute) => ({
    label: formatTime(minute.date),
    count: countOf(minute),
  }));
  return (
    <Section title={title}>
      {points.some(({ count }) => count > 0) ? (
        <LineChart
          points={points}
          title={title}
          step="minute"
          unit={unit}
          tickCount={6}
          height={CHART_HEIGHT_PX}
        />
      ) : (
        <EmptyState icon={icon} title={empty} />
      )}
    </Section>
  );
}

function Providers({ overview: { providers } }: { overview: OperatorOverview }) {
  return (
    <Section title="Verdicts by provider, last 24 hours">
      {providers.length === 0 ? (
        <EmptyState icon="verification" title="No checks in the last 24 hours." />
      ) : (
        <Table
          name="Verdicts by provider"
          header={['Provider', 'Checks', 'Mix', 'Valid', 'Invalid', 'Catch all', 'Unknown']}
          numbers={['Checks', 'Valid', 'Invalid', 'Catch all', 'Unknown']}
          rows={providers.map(({ provider, checks }) => ({
            key: provider,
            cells: [
              provider,
              formatCredits(totalOf(checks)),
              <div key="mix" className={classes.bar}>
                <VerdictBar
                  parts={[
                    { verdict: 'VALID', count: checks.valid },
                    { verdict: 'INVALID', count: checks.invalid },
                    { verdict: 'CATCH_ALL', count: checks.catch_all },
                    { verdict: 'UNKNOWN', count: checks.unknown },
                  ]}
                />
              </div>,
              ...(['valid', 'invalid', 'catch_all', 'unknown'] as const).map((verdict) =>
                shareText(checks[verdict], totalOf(checks)),
              ),
            ],
          }))}
        />
      )}
    </Section>
  );
}

/** Where the queue's library keeps jobs that are to be sent at their time. */
const schedulerQueue = '__pgboss__send-it';

function Queues({ overview: { queues } }: { overview: OperatorOverview }) {
  return (
    <Section title="Queues">
      {queues.length === 0 ? (
        <EmptyState icon="check" title="No job waits or runs." />
      ) : (
        <Table
          name="Load of the queues"
          header={['Queue', 'Waiting', 'Running', 'Oldest waits']}
          numbers={['Waiting', 'Running', 'Oldest waits']}
          rows={queues.map(({ name, waiting, active, oldest_seconds }) => ({
            key: name,
            cells: [
              name === schedulerQueue ? 'scheduled jobs' : name,
              formatCredits(waiting),
              formatCredits(active),
              oldest_seconds === null ? '–' : durationText(oldest_seconds),
            ],
          }))}
        />
      )}
    </Section>
  );
}

function Errors({ overview: { errors } }: { overview: OperatorOverview }) {
  return (
    <Section title="Where errors come from, last hour">
      {errors.length === 0 ? (
        <EmptyState icon="check" title="No call and no job failed." />
      ) : (
        <Table
          name="Errors by call or queue"
          header={['Call or queue', 'Errors']}
          numbers={['Errors']}
          rows={errors.map(({ source, count }) => ({
            key: source,
            cells: [
              <Link
                key="source"
                to={`/operator/errors?source=${encodeURIComponent(source)}`}
                className={classes.link}
              >
                {source}
              </Link>,
              formatCredits(count),
            ],
          }))}
        />
      )}
    </Section>
  );
}

const processNames = { api: 'API', worker: 'Worker', identity: 'Identity provider' } as const;

function Processes({ processes }: { processes: readonly OperatorProcess[] }) {
  return (
    <Section title="Processes">
      {processes.length === 0 ? (
        <EmptyState icon="search" title="No process has given a sign of life." />
      ) : (
        <Table
          name="Processes that run"
          header={['Process', 'State', 'Version', 'Machine', 'Started', 'Last sign']}
          rows={processes.map(({ kind, is_live, version, commit, host, start_date, last_sign_date }) => ({
            key: `${kind} ${host} ${start_date}`,
            cells: [
              processNames[kind],
              is_live ? 'Runs' : 'Gone without a word',
              commit === version ? version : `${version} (${commit.slice(0, 8)})`,
              host,
              formatDateTime(start_date),
              formatDateTime(last_sign_date),
            ],
          }))}
        />
      )}
    </Section>
  );
}

function Egresses({ egresses }: { egresses: readonly OperatorEgress[] }) {
  return (
    <Section title="Egress addresses">
      {egresses.length === 0 ? (
        <EmptyState icon="search" title="No worker has checked its address yet." />
      ) : (
        egresses.map(({ egress, checked_date, findings }) => (
          <div key={egress} className={classes.stack}>
            <p className={classes.note}>
              {egress}, checked {formatDateTime(checked_date)}
            </p>
            <Table
              name={`Checks of ${egress}`}
              header={['Check', 'State', 'Detail']}
              rows={findings.map(({ check, status, detail, fix }) => ({
                key: check,
                cells: [checkWords[check] ?? check, status, fix === null ? detail : `${detail} ${fix}`],
              }))}
            />
          </div>
        ))
      )}
    </Section>
  );
}

const checkWords: Readonly<Record<string, string>> = {
  port_25: 'Port 25',
  address: 'Address',
  reverse_dns: 'Reverse DNS',
  helo: 'HELO name',
  spf: 'SPF',
  block_lists: 'Block lists',
};

interface TableProps {
  name: string;
  header: readonly string[];
  /** Columns whose digits line up at their end. */
  numbers?: readonly string[];
  rows: readonly { readonly key: string; readonly cells: readonly React.ReactNode[] }[];
}

function Table({ name, header, numbers = [], rows }: TableProps) {
  const alignOf = (words = '') => (numbers.includes(words) ? 'end' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the arrow keys
    <section className={classes.scroll} aria-label={name} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {header.map((words) => (
              <th key={words} scope="col" data-align={alignOf(words)}>
                {words}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...rest] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {rest.map((cell, place) => (
                <td
                  key={header[place + 1]}
                  data-label={header[place + 1]}
                  data-align={alignOf(header[place + 1])}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** As high as the tiles and charts that follow. */
function OverviewSkeleton() {
  return (
    <div className={classes.stack}>
      <dl className={classes.tiles}>
        {tileNames.map((name) => (
          <div key={name} className={classes.tile}>
            <dt>{name}</dt>
            <dd>
              <Skeleton width="4rem" height="1lh" />
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.halves}>
        {['Checks per minute', 'Errors per minute'].map((title) => (
          <Section key={title} title={title}>
            <Skeleton height={`${CHART_HEIGHT_PX}px`} />
          </Section>
        ))}
      </div>
    </div>
  );
}

const tileNames = [
  'Queue age',
  'Checks, last hour',
  'Unknown, last hour',
  'Errors, last hour',
  'Dead letters',
  'Stuck lists',
  'Disk free',
  'Database',
  'Last backup',
];
