import { VERDICTS, type Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

/** Metrics are counted per quarter of an hour, because days begin at one in every time zone. */
const quarterMs = 15 * 60_000;

const quarterOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs);

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** Work of a customer that costs credits: metrics have nothing of the sandbox. */
interface AskedWork {
  readonly ownerId: AccountId;
  /** When the check was requested: all its counts belong to this time. */
  readonly askedAt: Date;
}

export async function countAsked(tx: Tx, { ownerId, askedAt }: AskedWork, emails: number): Promise<void> {
  await tx
    .insertInto('validation_metrics')
    .values({ owner_id: ownerId, quarter: quarterOf(askedAt), pending: emails })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'quarter'])
        .doUpdateSet((row) => ({ pending: row('validation_metrics.pending', '+', emails) })),
    )
    .execute();
}

/** Moves emails from pending to their verdicts. */
async function countVerdicts(tx: Tx, work: AskedWork, counts: VerdictCounts): Promise<void> {
  const total = counts.VALID + counts.INVALID + counts.CATCH_ALL + counts.UNKNOWN;
  await tx
    .updateTable('validation_metrics')
    .set((row) => ({
      pending: row('pending', '-', total),
      valid: row('valid', '+', counts.VALID),
      invalid: row('invalid', '+', counts.INVALID),
      catch_all: row('catch_all', '+', counts.CATCH_ALL),
      unknown: row('unknown', '+', counts.UNKNOWN),
    }))
    .where('owner_id', '=', work.ownerId)
    .where('quarter', '=', quarterOf(work.askedAt))
    .execute();
}

/** The same for work that was asked for at different times. */
export async function countVerdictsOf(
  tx: Tx,
  ownerId: AccountId,
  works: readonly { readonly askedAt: Date; readonly counts: Partial<VerdictCounts> }[],
): Promise<void> {
  const byQuarter = Map.groupBy(works, ({ askedAt }) => quarterOf(askedAt).getTime());
  for (const [quarter, ofQuarter] of [...byQuarter].toSorted(([left], [right]) => left - right)) {
    const sums = { VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 };
    for (const verdict of VERDICTS) for (const { counts } of ofQuarter) sums[verdict] += counts[verdict] ?? 0;
    await countVerdicts(tx, { ownerId, askedAt: new Date(quarter) }, sums);
  }
}

/** Work that was stopped is no longer pending. */
export async function countStopped(tx: Tx, work: AskedWork, emails: number): Promise<void> {
  await tx
    .updateTable('validation_metrics')
    .set((row) => ({ pending: row('pending', '-', emails) }))
    .where('owner_id', '=', work.ownerId)
    .where('quarter', '=', quarterOf(work.askedAt))
    .execute();
}

export interface MetricsRange {
  readonly ownerId: AccountId;
  readonly from: Date;
  readonly to: Date;
  /** Minutes east of UTC in the given dates: days and months begin by this clock. */
  readonly offsetMinutes: number;
  readonly groupBy: 'DAY' | 'MONTH';
}

export interface MetricsRow {
  /** The first day of the bucket, by the clock of the given offset. */
  readonly bucket: string;
  readonly pending: number;
  readonly valid: number;
  readonly invalid: number;
  readonly catch_all: number;
  readonly unknown: number;
}

export async function sumMetrics(db: Db, range: MetricsRange): Promise<MetricsRow[]> {
  const unit = range.groupBy === 'DAY' ? 'day' : 'month';
  const { rows } = await sql<MetricsRow>`
    select to_char(bucket, 'YYYY-MM-DD') as bucket, sum(pending)::bigint as pending, sum(valid)::bigint as valid,
      sum(invalid)::bigint as invalid, sum(catch_all)::bigint as catch_all, sum(unknown)::bigint as unknown
    from (
      select *, date_trunc(${unit}, (quarter at time zone 'UTC') + make_interval(mins => ${range.offsetMinutes}::int)) as bucket
      from validation_metrics
      where owner_id = ${range.ownerId} and quarter >= ${quarterOf(range.from)} and quarter <= ${range.to}
    ) quarters
    group by bucket order by bucket`.execute(db);
  return rows;
}
