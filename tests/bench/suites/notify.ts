// What notifications cost: PostgreSQL orders the commits of all transactions that notify, in the whole cluster, by one lock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@assay/postgres';
import pg from 'pg';
import { print } from '../harness/print.ts';
import { atLeast, type Demand, decimal, integer, renderTable } from '../harness/report.ts';

const sizes = {
  large: { seconds: 5, rates: [100, 300, 1_000, 2_000, 4_000] },
  small: { seconds: 1, rates: [100, 1_000] },
};
/** Connections that commit at the same time, as those of a few processes. */
const writerCount = 20;
/** Processes that listen: two APIs and two workers with their threads. */
const listenerCount = 8;
const channel = 'assay_events';
const payload = JSON.stringify({ user_id: 'x'.repeat(36), event: { event_type: 'verification_complete' } });
/** The rate that the suite asks about. */
const askedRate = 1_000;

interface Curve {
  readonly name: string;
  /** Notifications in a transaction. */
  readonly perCommit: number;
  readonly notifies: boolean;
}

const curves: readonly Curve[] = [
  { name: 'no notification', perCommit: 1, notifies: false },
  { name: 'one for each commit', perCommit: 1, notifies: true },
  { name: 'ten for each commit', perCommit: 10, notifies: true },
];

interface Point {
  /** Notifications, or commits without them. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Options: `--small`, to see the suite work: its figures say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const { seconds, rates } = options.includes('--small') ? sizes.small : sizes.large;
  const folder = await mkdtemp(join(tmpdir(), 'bench-notify-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const pool = new pg.Pool({ connectionString: postgres.url, max: writerCount });
  const listeners: pg.Client[] = [];
  try {
    await pool.query('create table written (id bigint generated always as identity, text text)');
    while (listeners.length < listenerCount) listeners.push(await listen(postgres.url));
    const points = new Map<string, Point[]>(curves.map(({ name }) => [name, []]));
    for (const rate of rates)
      for (const curve of curves) points.get(curve.name)?.push(await measure(pool, curve, { rate, seconds }));
    return report(rates, points);
  } finally {
    for (const listener of listeners) await listener.end();
    await pool.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function listen(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  client.on('notification', () => undefined);
  await client.query(`listen ${channel}`);
  return client;
}

/** Commits at a rate, whatever the answers do: a time counts from the moment when its commit was due. */
async function measure(
  pool: pg.Pool,
  { perCommit, notifies }: Curve,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Point> {
  const commits = Math.round((rate * seconds) / perCommit);
  const everyMs = 1_000 / (rate / perCommit);
  const times: number[] = [];
  const startedAt = performance.now();
  const writing: Promise<void>[] = [];
  for (let made = 0; made < commits; await pause(1)) {
    for (; made < commits && made * everyMs <= performance.now() - startedAt; made++) {
      const dueAt = startedAt + made * everyMs;
      writing.push(
        write(pool, notifies ? perCommit : 0).then(() => void times.push(performance.now() - dueAt)),
      );
    }
  }
  await Promise.all(writing);
  const passedSeconds = (performance.now() - startedAt) / 1_000;
  times.sort((left, right) => left - right);
  const quantile = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return { perSecond: (commits * perCommit) / passedSeconds, p50: quantile(0.5), p99: quantile(0.99) };
}

/** One statement is one transaction. */
async function write(pool: pg.Pool, notifications: number): Promise<void> {
  await pool.query({
    name: `write ${notifications === 0 ? 'quietly' : 'and notify'}`,
    text:
      notifications === 0
        ? 'insert into written (text) values ($1)'
        : `with written as (insert into written (text) values ($1))
           select pg_notify('${channel}', $1 || number) from generate_series(1, $2::int) as number`,
    values: notifications === 0 ? [payload] : [payload, notifications],
  });
}

function report(rates: readonly number[], points: ReadonlyMap<string, readonly Point[]>): Demand[] {
  const rows = rates.flatMap((rate, at) =>
    [...points].map(([name, of]) => {
      const { perSecond = 0, p50 = 0, p99 = 0 } = of[at] ?? {};
      return [`${integer(rate)}/s, ${name}`, integer(perSecond), decimal(p50, 1), decimal(p99, 1)];
    }),
  );
  print(`\n${writerCount} connections write, ${listenerCount} listen\n`);
  print(renderTable(['', 'reached/s', 'p50 ms', 'p99 ms'], rows));
  const reached = points.get('ten for each commit')?.[rates.indexOf(askedRate)]?.perSecond ?? 0;
  return [
    atLeast(`${integer(askedRate)} notifications a second, ten for each commit`, reached / askedRate, 0.95),
  ];
}
