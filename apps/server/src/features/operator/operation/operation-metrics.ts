import { Gauge } from 'prom-client';
import type { Db } from '../../../platform/database/database.ts';
import { findProcesses, processKinds } from '../../../platform/live-processes.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { findQueueLoads } from '../../../platform/queue/index.ts';
import { peopleLists } from '../../guessing/index.ts';
import { emailLists } from '../../verification/index.ts';
import type { OperatorParts } from '../actions.ts';
import { type OverviewParts, readDisk } from './overview.ts';

interface OperationParts extends OperatorParts, Pick<OverviewParts, 'files'> {
  readonly metrics: Metrics;
}

interface Value {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface InstallationGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly read: () => Promise<Value[]>;
}

/**
 * Figures of the whole installation, read from the database. Each API serves them, because they must be there when no worker
 * runs. All APIs report the same, so rules take the maximum.
 */
export function showOperation({ metrics, db, clock, files }: OperationParts): void {
  const show = ({ read, ...gauge }: InstallationGauge) => {
    new Gauge({
      ...gauge,
      registers: [metrics.registry],
      async collect() {
        // Keeps the last values while the database is away, and the other metrics are served.
        const values = await read().catch(() => null);
        if (!values) return;
        this.reset();
        for (const { labels, value } of values) this.set(labels, value);
      },
    });
  };
  const readLoads = shared(() => findQueueLoads(db, clock.now()));
  const readLists = shared(() => describeLists(db));
  const secondsSince = (moment: Date) => Math.max(0, (clock.now().getTime() - moment.getTime()) / 1_000);

  show({
    name: 'assay_processes',
    help: 'Processes that live, by kind and version. Alert if there is no worker.',
    labelNames: ['kind', 'version'],
    read: () => countProcesses(db),
  });
  show({
    name: 'assay_queue_waiting',
    help: 'Jobs that could start now, by queue.',
    labelNames: ['queue'],
    read: async () => {
      const loads = await readLoads();
      return loads.map(({ name: queue, waiting }) => ({ labels: { queue }, value: waiting }));
    },
  });
  show({
    name: 'assay_queue_oldest_seconds',
    help: 'How long the oldest waiting job could have started, by queue.',
    labelNames: ['queue'],
    read: async () => {
      const loads = await readLoads();
      return loads.flatMap(({ name: queue, oldestSince }) =>
        oldestSince ? [{ labels: { queue }, value: secondsSince(oldestSince) }] : [],
      );
    },
  });
  show({
    name: 'assay_lists',
    help: 'Lists that are not complete, by kind and status.',
    labelNames: ['kind', 'status'],
    read: async () => {
      const open = await readLists();
      return open.map(({ kind, status, count }) => ({ labels: { kind, status }, value: count }));
    },
  });
  show({
    name: 'assay_lists_oldest_progress_seconds',
    help: 'How long ago the running list that waits longest got a result, by kind.',
    labelNames: ['kind'],
    read: async () => {
      // Also those whose rows are copied, and those that are being finished: their jobs can fail too.
      const running = (await readLists()).filter(({ status }) => status !== 'PAUSED');
      return [...Map.groupBy(running, ({ kind }) => kind)].map(([kind, ofKind]) => ({
        labels: { kind },
        value: Math.max(...ofKind.map(({ oldestProgressAt }) => secondsSince(oldestProgressAt))),
      }));
    },
  });
  show({
    name: 'assay_disk_bytes',
    help: 'The disk of uploaded files, by state.',
    labelNames: ['state'],
    read: async () => {
      const disk = await readDisk(files);
      if (!disk) return [];
      return [
        { labels: { state: 'total' }, value: disk.total_bytes },
        { labels: { state: 'free' }, value: disk.free_bytes },
      ];
    },
  });
}

/** Calls that overlap share one read, as the gauges of a scrape do. */
function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** With a 0 for a kind without processes: a rule cannot compare what is missing. */
async function countProcesses(db: Db): Promise<Value[]> {
  const live = (await findProcesses(db)).filter(({ isLive }) => isLive);
  return processKinds.flatMap((kind) => {
    const versions = Map.groupBy(
      live.filter((one) => one.kind === kind),
      ({ version }) => version,
    );
    if (versions.size === 0) return [{ labels: { kind, version: '' }, value: 0 }];
    return [...versions].map(([version, ofVersion]) => ({
      labels: { kind, version },
      value: ofVersion.length,
    }));
  });
}

const describeLists = async (db: Db) => [
  ...(await emailLists.answers.describeOpen(db)),
  ...(await peopleLists.answers.describeOpen(db)),
];
