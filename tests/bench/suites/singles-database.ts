// Where the time goes that a single check takes of the database: by statement, and what its sessions wait for.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type BenchProduct, startBenchProduct } from '../bulk/product.ts';
import { print } from '../harness/print.ts';
import { atMost, type Demand, decimal, integer, renderTable } from '../harness/report.ts';
import { saturate } from '../load/traffic.ts';
import { databaseCpuMs } from '../load/usage.ts';
import {
  type Account,
  callOf,
  createBareTables,
  newAccount,
  openProduct,
  type Target,
} from '../singles/targets.ts';

const sizes = { large: { seconds: 8, warmUpSeconds: 8 }, small: { seconds: 2, warmUpSeconds: 2 } };
const underWayCounts = [16, 64];
const askedUnderWay = 16;
const askedMsMax = 2;
const shownMax = 25;
const sampleEveryMs = 20;
/** Sessions report what they have done within a second. */
const reportMs = 1_500;

/** Options: `--small`, to see the suite work: its figures say little. */
export async function run(options: string[]): Promise<Demand[]> {
  const { seconds, warmUpSeconds } = options.includes('--small') ? sizes.small : sizes.large;
  const product = await startBenchProduct(
    { replyDelayMs: 0 },
    {
      postgresSettings: {
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.track_planning': 'on',
      },
    },
  );
  const admin = await openAdmin(product);
  try {
    await createBareTables(product);
    const account = await newAccount(product, 10_000_000);
    const target = await openProduct(product);
    const demands: Demand[] = [];
    await check(target, account, { underWay: askedUnderWay, seconds: warmUpSeconds });
    for (const underWay of underWayCounts) {
      const msEach = await profile({ product, admin, target, account }, { underWay, seconds });
      if (underWay === askedUnderWay)
        demands.push(
          atMost(
            `with ${underWay} under way: ${askedMsMax} ms of statements for a check`,
            msEach,
            askedMsMax,
          ),
        );
    }
    await target.stop();
    return demands;
  } finally {
    await admin.end();
    await product.close();
  }
}

/** The superuser, in the database of the product. */
async function openAdmin({ adminUrl, pool }: BenchProduct): Promise<pg.Pool> {
  const { rows } = await pool.query<{ name: string }>('select current_database() as name');
  const url = new URL(adminUrl);
  url.pathname = `/${rows[0]?.name}`;
  const admin = new pg.Pool({ connectionString: url.href, max: 2 });
  await admin.query('create extension pg_stat_statements');
  return admin;
}

interface Load {
  readonly underWay: number;
  readonly seconds: number;
}

let checkCount = 0;

/** Checks addresses and answers how many got a verdict. */
async function check(target: Target, account: Account, { underWay, seconds }: Load): Promise<number> {
  const nextCall = () => {
    checkCount += 1;
    return callOf(target, account, `staff.${checkCount.toString(36)}@company-${checkCount % 160}.test`);
  };
  const answers = await saturate({ url: target.url, connectionCount: underWay, seconds, nextCall });
  return answers.filter(({ status }) => status === 200).length;
}

interface Scene {
  readonly product: BenchProduct;
  readonly admin: pg.Pool;
  readonly target: Target;
  readonly account: Account;
}

interface StatementCost {
  readonly calls: number;
  readonly ms: number;
  readonly plan_ms: number;
  readonly text: string;
}

/** Prints the profile, and answers the milliseconds of all statements for a check. */
async function profile({ product, admin, target, account }: Scene, load: Load): Promise<number> {
  await admin.query('select pg_stat_statements_reset()');
  const cpuBefore = await databaseCpuMs(product.pool);
  const sampling = sampleWaits(admin);
  const count = await check(target, account, load);
  const waits = await sampling.stop();
  const cpuMs = (await databaseCpuMs(product.pool)) - cpuBefore;
  await pause(reportMs);
  const { rows } = await admin.query<StatementCost>(`
    select calls::int, total_exec_time as ms, total_plan_time as plan_ms, regexp_replace(query, '\\s+', ' ', 'g') as text
    from pg_stat_statements where query !~ 'pg_stat_' order by total_exec_time + total_plan_time desc`);
  const sumOf = (read: (row: StatementCost) => number) =>
    rows.reduce((sum, row) => sum + read(row), 0) / count;
  const [ms, planMs] = [sumOf((row) => row.ms), sumOf((row) => row.plan_ms)];

  print(
    `\n${load.underWay} under way: ${integer(count / load.seconds)} checks/s; for each ${decimal(ms + planMs)} ms of statements, ` +
      `${decimal(planMs)} of it planning, ${decimal(sumOf(({ calls }) => calls))} statements, ${decimal(cpuMs / count)} ms of processor time\n`,
  );
  const lines = rows
    .slice(0, shownMax)
    .map((row) => [
      row.text.slice(0, 100),
      decimal(row.ms / count, 3),
      decimal(row.plan_ms / count, 3),
      decimal(row.calls / count),
    ]);
  print(renderTable(['statement', 'ms a check', 'planning', 'calls'], lines));
  print('');
  print(renderTable(['active sessions', 'samples'], waits));
  return ms + planMs;
}

/** What active sessions of the product do, or wait for. */
function sampleWaits(admin: pg.Pool) {
  const counts = new Map<string, number>();
  let isOver = false;
  const sampled = (async () => {
    for (; !isOver; await pause(sampleEveryMs)) {
      const { rows } = await admin.query<{ state: string }>(`
        select coalesce(wait_event_type || ' ' || wait_event, 'no wait') as state from pg_stat_activity
        where state = 'active' and application_name like 'assay%'`);
      for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await sampled;
      return [...counts]
        .toSorted(([, left], [, right]) => right - left)
        .map(([state, count]) => [state, integer(count)]);
    },
  };
}
