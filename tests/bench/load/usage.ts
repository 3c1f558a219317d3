// What the product's parts have used so far, as Linux and PostgreSQL count it.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { cpuMsOf } from '../requests/load.ts';

export interface Usage {
  readonly apiCpuMs: number;
  readonly workerCpuMs: number;
  readonly databaseCpuMs: number;
  /** Read and written by the process: network, database and files. */
  readonly apiBytes: number;
  readonly workerBytes: number;
  readonly walBytes: number;
  readonly storedBytes: number;
  readonly rowsInserted: number;
  readonly rowsUpdated: number;
  readonly transactions: number;
}

/** Idle sessions of PostgreSQL report their counts after ten seconds. */
const reportMs = 11_000;

export async function readUsage(
  pool: pg.Pool,
  { apiPid, workerPid }: { apiPid: number; workerPid: number },
): Promise<Usage> {
  await pause(reportMs);
  const { rows } = await pool.query<Record<string, number>>(`
    select pg_backend_pid() as pid,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
      pg_database_size(current_database())::float8 as stored,
      (select xact_commit::float8 from pg_stat_database where datname = current_database()) as transactions,
      (select sum(n_tup_ins)::float8 from pg_stat_user_tables) as inserted,
      (select sum(n_tup_upd)::float8 from pg_stat_user_tables) as updated`);
  const {
    pid = 0,
    wal = 0,
    stored = 0,
    transactions = 0,
    inserted = 0,
    updated = 0,
  }: Record<string, number> = rows[0] ?? {};
  return {
    apiCpuMs: await cpuMsOf(apiPid),
    workerCpuMs: await cpuMsOf(workerPid),
    databaseCpuMs: await cpuMsOfFamily(await parentOf(pid)),
    apiBytes: await bytesOf(apiPid),
    workerBytes: await bytesOf(workerPid),
    walBytes: wal,
    storedBytes: stored,
    rowsInserted: inserted,
    rowsUpdated: updated,
    transactions,
  };
}

export function difference(after: Usage, before: Usage): Usage {
  const names = Object.keys(after) as (keyof Usage)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Usage;
}

const fieldsOf = async (pid: number): Promise<string[]> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Of all processes of the database server. */
export async function databaseCpuMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return cpuMsOfFamily(await parentOf(rows[0]?.pid ?? 0));
}

const parentOf = async (pid: number): Promise<number> => Number((await fieldsOf(pid))[1]);

/** Of a process, its children, and its children that have ended. */
async function cpuMsOfFamily(pid: number): Promise<number> {
  const fields = await fieldsOf(pid);
  const ended = (Number(fields[13]) + Number(fields[14])) * 10;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
  const living = await Promise.all(children.map((child) => cpuMsOf(Number(child)).catch(() => 0)));
  return living.reduce((sum, ms) => sum + ms, (await cpuMsOf(pid)) + ended);
}

async function bytesOf(pid: number): Promise<number> {
  const io = await readFile(`/proc/${pid}/io`, 'utf8');
  const sizeOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1]);
  return sizeOf('rchar') + sizeOf('wchar');
}
