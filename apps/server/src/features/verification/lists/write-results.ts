import type { Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import type { Finding } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { queueEvent } from '../../webhooks/index.ts';
import { countVerdicts, type VerdictCounts } from '../metrics.store.ts';
import { emailLists, listAnswer } from './email-lists.ts';
import { type EvidencePlan, insertEvidence, packEvidence, planEvidence } from './evidence.store.ts';

export interface RowFinding extends Finding {
  readonly rowNumber: number;
}

/** The list was deleted during its verification, so its work ends. */
export class ListGone extends Error {
  constructor() {
    super('The list is gone.');
  }
}

interface Written {
  /** False when an update was published a moment ago. */
  readonly isProgressPublished: boolean;
}

interface Writing {
  readonly findings: readonly RowFinding[];
  readonly evidence: EvidencePlan;
  readonly now: Date;
}

/**
 * Writes results, counters, metrics and, with the last result, the settlement, in one transaction. Rows that already have
 * a result change nothing, so a batch can be written again after a crash.
 * See docs/decisions/lists-results-inserted-once.md.
 */
export async function writeResults(
  parts: { readonly db: Db; readonly queue: JobQueue },
  place: ListPlace,
  findings: readonly RowFinding[],
  now: Date,
): Promise<Written> {
  const writing = { findings, evidence: planEvidence(findings.length), now };
  try {
    return await writeWith(insertNew, parts, place, writing);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return await writeWith(insertMissing, parts, place, writing);
  }
}

type Insert = (tx: Tx, place: ListPlace, writing: Writing) => Promise<VerdictCounts>;

function writeWith(
  insertResults: Insert,
  { db, queue }: { readonly db: Db; readonly queue: JobQueue },
  place: ListPlace,
  writing: Writing,
): Promise<Written> {
  const { findings, evidence, now } = writing;
  // The commit waits for the disk: the job counts as done once its results are written, so a crash must not lose them.
  return runTransaction(db, async (tx) => {
    // Packs the evidence while the database writes the results.
    const [counts, packs] = await Promise.all([
      insertResults(tx, place, writing),
      packEvidence(evidence, findings),
    ]);
    await insertEvidence(tx, place, packs);
    const list = await emailLists.count(tx, place, counts, now);
    // Throwing undoes the inserts: the deletion has already settled what had been counted.
    if (!list) throw new ListGone();
    const { ownerId } = place;
    // Metrics first, then the wallet, as when a list is created: the same order of locks everywhere.
    await emailLists
      .workOf(place, list)
      .count(() => countVerdicts(tx, { ownerId, askedAt: list.created_at }, counts));
    const step = await emailLists.advance(tx, place, list, now);
    if (step === 'complete') {
      const readData = async () => listAnswer(list);
      await queueEvent(tx, queue, { ownerId, type: 'list.completed', readData, now });
    }
    return { isProgressPublished: step !== 'too soon' };
  });
}

/** The usual case: no row has a result yet. Without the conflict check this is nearly twice as fast. */
async function insertNew(tx: Tx, place: ListPlace, writing: Writing): Promise<VerdictCounts> {
  await insertion(place, writing).execute(tx);
  const counts = noVerdicts();
  for (const { verdict } of writing.findings) counts[verdict] += 1;
  return counts;
}

/** After a crash, or next to a worker that seemed dead: some rows may have results. */
async function insertMissing(tx: Tx, place: ListPlace, writing: Writing): Promise<VerdictCounts> {
  const { rows } = await sql<{ verdict: Verdict; count: number }>`
    with written as (${insertion(place, writing)} on conflict do nothing returning verdict)
    select verdict, count(*) as count from written group by verdict`.execute(tx);
  const counts = noVerdicts();
  for (const row of rows) counts[row.verdict] = row.count;
  return counts;
}

const noVerdicts = (): Record<Verdict, number> => ({ VALID: 0, INVALID: 0, CATCH_ALL: 0, UNKNOWN: 0 });

function insertion({ ownerId, listId }: ListPlace, { findings, evidence, now }: Writing) {
  const { rowNumbers, kinds, verdicts, reasons } = byKind(findings);
  const batchIds = numberArray(evidence.batchIds);
  return sql`
    insert into list_results (owner_id, list_id, row_number, verdict, reason, batch_id, checked_at)
    select ${ownerId}, ${listId}, row_number, (${verdicts}::text[])[kind], (${reasons}::text[])[kind],
      (${batchIds}::bigint[])[(place - 1) / ${evidence.packLength}::int + 1], ${now}
    from unnest(${rowNumbers}::int[], ${kinds}::int[]) with ordinality as finding (row_number, kind, place)`;
}

/** Sends each of the few verdict and reason pairs once, and a number per result. Numbers start at 1, like SQL arrays. */
function byKind(findings: readonly RowFinding[]) {
  const kindOf = new Map<string, number>();
  const verdicts: Verdict[] = [];
  const reasons: string[] = [];
  const kinds = findings.map(({ verdict, reason }) => {
    const known = kindOf.get(reason);
    if (known !== undefined) return known;
    verdicts.push(verdict);
    kindOf.set(reason, reasons.push(reason));
    return reasons.length;
  });
  const rowNumbers = findings.map(({ rowNumber }) => rowNumber);
  return { rowNumbers: numberArray(rowNumbers), kinds: numberArray(kinds), verdicts, reasons };
}
