import { LIST_WAITS_MAX, type ListWait } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ListPlace } from './list-place.ts';
import type { ListKindName } from './lists.tables.ts';

/** A deferred row of one run of a list. */
export interface DeferredRow {
  readonly host: string;
  /** By default the host asked for it. */
  readonly cause?: ListWait['cause'];
  readonly until: Date;
  readonly row: Deferral;
}

interface Deferral {
  readonly rowNumber: number;
  /** When a host first put the row off. */
  readonly since: Date;
  /** How often it was deferred. */
  readonly attempts: number;
}

export interface ListWaits {
  /** Rows that wait for mail hosts. */
  readonly rowCount: number;
  /** At most `LIST_WAITS_MAX`, soonest first. */
  readonly hosts: readonly ListWait[];
  /** Whether all rows wait, because our port is closed. */
  readonly isPortClosed: boolean;
}

export const noWaits: ListWaits = { rowCount: 0, hosts: [], isPortClosed: false };

const hostLengthMax = 253;

/** Notes rows that wait, for answers about their list. */
export async function noteWaits(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  runNumber: number,
  rows: readonly DeferredRow[],
): Promise<void> {
  const groups = Map.groupBy(
    rows,
    ({ host, cause, until, row }) =>
      `${until.getTime()} ${row.since.getTime()} ${row.attempts} ${cause} ${host}`,
  );
  const waits = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ host, cause = 'mail_host', until, row }) => ({
      owner_id: ownerId,
      list_id: listId,
      run_number: runNumber,
      host: host.slice(0, hostLengthMax),
      cause,
      until,
      row_count: group.length,
      row_numbers: numberArray(group.map((one) => one.row.rowNumber)),
      since: row.since,
      attempts: row.attempts,
    })),
  );
  if (waits.length > 0) await tx.insertInto('list_waits').values(waits).execute();
}

/**
 * Those of the rows that were deferred in this run or, with `isEarlier`, in an earlier one, each with its latest wait.
 */
export async function findWaitingRows(
  db: Db,
  { ownerId, listId }: ListPlace,
  { run, isEarlier = false }: { readonly run: number; readonly isEarlier?: boolean },
  rowNumbers: readonly number[],
): Promise<DeferredRow[]> {
  const { rows } = await sql<{
    row_number: number;
    host: string;
    cause: ListWait['cause'];
    until: Date;
    since: Date;
    attempts: number;
  }>`
    select distinct on (row_number) row_number, host, cause, until, since, attempts
    from list_waits wait, unnest(row_numbers) row_number
    where owner_id = ${ownerId} and list_id = ${listId}
      and ${isEarlier ? sql`run_number < ${run}` : sql`run_number = ${run}`}
      and row_numbers && ${numberArray(rowNumbers)}::int[] and row_number = any(${numberArray(rowNumbers)}::int[])
    order by row_number, attempts desc, until desc`.execute(db);
  return rows.map(({ row_number, host, cause, until, since, attempts }) => ({
    host,
    cause,
    until,
    row: { rowNumber: row_number, since, attempts },
  }));
}

/**
 * Sorts the open rows of a resumed list: `waiting` were deferred in an earlier run and wait on, `others` begin. Those that are
 * in neither were deferred in this run and have jobs: a worker died after it resumed them.
 */
export async function sortOpenRows(
  db: Db,
  place: ListPlace,
  run: number,
  rowNumbers: readonly number[],
): Promise<{ readonly waiting: DeferredRow[]; readonly others: ReadonlySet<number> }> {
  const others = new Set(rowNumbers);
  for (const { row } of await findWaitingRows(db, place, { run }, rowNumbers)) others.delete(row.rowNumber);
  const earlier = await findWaitingRows(db, place, { run, isEarlier: true }, rowNumbers);
  return { waiting: earlier.filter(({ row }) => others.delete(row.rowNumber)), others };
}

interface WaitingRows {
  readonly rowNumbers: number[];
  readonly since: string;
  readonly attempts: number;
}

/** One job for the rows that share their times and attempts. */
export function jobsOfWaiting<Payload>(
  waiting: readonly DeferredRow[],
  now: Date,
  payloadOf: (rows: WaitingRows) => Payload,
): { payload: Payload; afterMs: number }[] {
  const groups = Map.groupBy(
    waiting,
    ({ until, row }) => `${until.getTime()} ${row.since.getTime()} ${row.attempts}`,
  );
  return [...groups.values()].map((group) => {
    const { until, row } = group[0] as DeferredRow;
    const rowNumbers = group.map((one) => one.row.rowNumber);
    return {
      payload: payloadOf({ rowNumbers, since: row.since.toISOString(), attempts: row.attempts }),
      afterMs: Math.max(until.getTime() - now.getTime(), 0),
    };
  });
}

/** Removes the waits of a list, or of all lists of a customer. */
export async function removeWaits(
  db: Db,
  { ownerId, listId }: { readonly ownerId: AccountId; readonly listId?: string },
): Promise<void> {
  const ofOwner = db.deleteFrom('list_waits').where('owner_id', '=', ownerId);
  await (listId === undefined ? ofOwner : ofOwner.where('list_id', '=', listId)).execute();
}

type HostWaits = Omit<ListWaits, 'isPortClosed'>;

/** The waits of lists of one kind for mail hosts, by their id. A list has those of its current run. */
export async function findWaits(
  db: Db,
  kind: ListKindName,
  {
    ownerId,
    listIds,
    now,
  }: { readonly ownerId: AccountId; readonly listIds: readonly string[]; readonly now: Date },
): Promise<ReadonlyMap<string, HostWaits>> {
  if (listIds.length === 0) return new Map();
  const { rows } = await sql<Omit<ListWait, 'until'> & { list_id: string; until: Date; total: number }>`
    with hosts as (
      select list_id, host, cause, min(until) as until, sum(row_count) as count
      from list_waits wait join lists list on list.kind = ${sql.lit(kind)}
        and list.owner_id = wait.owner_id and list.id = wait.list_id and list.run_number = wait.run_number
      where wait.owner_id = ${ownerId} and list_id = any(${listIds}::uuid[]) and until > ${now}
      group by list_id, host, cause
    ), ranked as (
      select *, sum(count) over (partition by list_id) as total,
        row_number() over (partition by list_id order by until, host) as place
      from hosts
    )
    select list_id, host, cause, until, count::bigint as count, total::bigint as total
    from ranked where place <= ${LIST_WAITS_MAX} order by place`.execute(db);
  const waits = new Map<string, HostWaits>();
  for (const { list_id, until, total, ...wait } of rows) {
    const hosts = waits.get(list_id)?.hosts ?? [];
    waits.set(list_id, { rowCount: total, hosts: [...hosts, { ...wait, until: until.toISOString() }] });
  }
  return waits;
}

/** Work that was due a day ago is done, unless its list is paused. */
const keptMs = 24 * 3_600_000;

/** Removes the waits that are over. Those of a paused list say how patient its rows still are. */
export async function sweepWaits(db: Db, now: Date): Promise<void> {
  await sql`
    delete from list_waits wait where until < ${new Date(now.getTime() - keptMs)}
      and not exists (select from lists list
        where list.owner_id = wait.owner_id and list.id = wait.list_id and status = 'PAUSED')`.execute(db);
}
