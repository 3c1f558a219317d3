import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { type Bill, notChecked, type StoredFinding } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { EvidencePlan } from './evidence.store.ts';
import type { ResultKind } from './kinds.store.ts';

export interface RowFinding extends StoredFinding {
  readonly rowNumber: number;
  /** What was asked since results were last written; the first result of a batch carries it. */
  readonly bill?: Bill;
}

export interface ListFindings {
  readonly place: ListPlace;
  readonly findings: readonly RowFinding[];
}

/** What one statement inserts. */
export interface Writing extends ListFindings {
  readonly evidence: EvidencePlan;
  readonly now: Date;
}

/** The usual case: no row has a result yet. Without the conflict check this is nearly twice as fast. */
export async function insertNew(tx: Tx, writing: Writing): Promise<readonly ResultKind[]> {
  const { kinds, numbers } = kindsOf(writing.findings);
  await insertion(writing, { kinds, numbers }).execute(tx);
  return kinds;
}

/** After a crash, or next to a worker that seemed dead: some rows may have results. */
export async function insertMissing(tx: Tx, writing: Writing): Promise<readonly ResultKind[]> {
  const { rows } = await sql<ResultKind>`
    with written as (
      ${insertion(writing, kindsOf(writing.findings))}
      on conflict do nothing returning verdict, reason, flags, mx_provider)
    select verdict, reason, flags, mx_provider as "mxProvider", count(*) as emails
    from written group by verdict, reason, flags, mx_provider`.execute(tx);
  return rows;
}

/** In the order of rows, in which every writer inserts: two that write the same rows wait for each other and cannot deadlock. */
function insertion(
  { place: { ownerId, listId }, findings, evidence, now }: Writing,
  { kinds, numbers }: ReturnType<typeof kindsOf>,
) {
  const batchIds = numberArray(evidence.batchIds);
  const rowNumbers = numberArray(findings.map(({ rowNumber }) => rowNumber));
  const suggestions = findings.map(({ suggestion }) => suggestion);
  // Most batches have none, and a thousand nulls take time too.
  const hasSuggestion = suggestions.some((suggestion) => suggestion !== null);
  return sql`
    insert into list_results
      (owner_id, list_id, row_number, verdict, reason, flags, mx_provider, suggestion, batch_id, checked_at)
    select ${ownerId}, ${listId}, row_number, (${kinds.map(({ verdict }) => verdict)}::text[])[kind],
      (${kinds.map(({ reason }) => reason)}::text[])[kind], (${kinds.map(({ flags }) => flags)}::smallint[])[kind],
      (${kinds.map(({ mxProvider }) => mxProvider)}::text[])[kind],
      ${hasSuggestion ? sql`(${suggestions}::text[])[place]` : sql`null`},
      (${batchIds}::bigint[])[(place - 1) / ${evidence.packLength}::int + 1], ${now}
    from unnest(${rowNumbers}::int[], ${numberArray(numbers)}::int[])
      with ordinality as finding (row_number, kind, place)
    order by row_number`;
}

/** Sends what many results share once, and a number per result. Numbers start at 1, like SQL arrays. */
function kindsOf(findings: readonly RowFinding[]) {
  const numberOf = new Map<string, number>();
  const kinds: (ResultKind & { emails: number })[] = [];
  const numbers = findings.map(({ verdict, reason, flags, mxProvider }) => {
    const key = `${reason} ${flags} ${mxProvider}`;
    const number = numberOf.get(key) ?? kinds.push({ verdict, reason, flags, mxProvider, emails: 0 });
    numberOf.set(key, number);
    const kind = kinds[number - 1];
    if (kind) kind.emails += 1;
    return number;
  });
  return { kinds, numbers };
}

/**
 * In the order of rows, like every writer of results. The subquery always uses the key of the results; for `not exists`
 * PostgreSQL would read all results of a list for each of its rows until the table is analysed.
 */
export async function insertNotChecked(
  tx: Tx,
  { ownerId, listId }: ListPlace,
  { from, to }: { readonly from: number; readonly to: number },
  now: Date,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into list_results (owner_id, list_id, row_number, verdict, reason, checked_at)
    select owner_id, list_id, row_number, 'UNKNOWN', ${notChecked}, ${now}
    from list_rows row
    where owner_id = ${ownerId} and list_id = ${listId} and row_number >= ${from} and row_number < ${to}
      and email_address is not null and first_row_number is null
      and (select true from list_results result where result.owner_id = row.owner_id
        and result.list_id = row.list_id and result.row_number = row.row_number) is null
    order by row_number
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows);
}
