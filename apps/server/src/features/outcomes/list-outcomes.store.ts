import type { OutcomeCounts, OutcomeKind, PageQuery, ReportedOutcome } from '@assay/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { escapePattern } from '../../platform/database/escape-pattern.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';
import { noCounts } from './files/file-findings.ts';
import { addressKeyOf } from './outcome.ts';
import { outcomeWords } from './outcome-words.ts';

export interface OutcomeFilter {
  /** A part of the address, or all of it. */
  readonly search?: string | undefined;
  readonly isWhole?: boolean | undefined;
  readonly kind?: OutcomeKind | undefined;
}

interface OutcomePage {
  readonly results: ReportedOutcome[];
  readonly total: number;
  readonly counts: OutcomeCounts;
}

/** Whether a search may be for one whole address, which is looked up. Other searches look at every outcome. */
export const isWholeAddress = (search: string): boolean => addressKeyOf(search) !== undefined;

/** A page of outcomes, those that came last first. */
export async function listOutcomes(
  db: Db,
  ownerId: AccountId,
  filter: OutcomeFilter,
  page: PageQuery,
): Promise<OutcomePage> {
  const counts = await countOutcomes(db, ownerId);
  const found = matching(db, ownerId, filter);
  if (filter.search) {
    const { rows, total } = await findPage(found, page);
    return { results: rows.map(outcomeAnswer), total, counts };
  }
  const rows = await found
    .limit(page.page_size)
    .offset((page.page_number - 1) * page.page_size)
    .execute();
  const total = filter.kind
    ? counts[filter.kind]
    : Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { results: rows.map(outcomeAnswer), total, counts };
}

async function countOutcomes(db: Db, ownerId: AccountId): Promise<OutcomeCounts> {
  const rows = await db
    .selectFrom('outcome_counts')
    .select(['kind', 'count'])
    .where('owner_id', '=', ownerId)
    .execute();
  return { ...noCounts, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
}

const shownColumns = [
  'number',
  'email_address',
  'kind',
  'happened_at',
  'reason',
  'words',
  'action',
  'source',
  'recorded_at',
] as const;
type OutcomeRow = Pick<Selectable<Tables['outcomes']>, (typeof shownColumns)[number]>;

const outcomeAnswer = (row: OutcomeRow): ReportedOutcome => ({
  number: row.number,
  email: row.email_address,
  kind: row.kind,
  at: row.happened_at.toISOString(),
  reason: { code: row.reason, text: outcomeWords[row.reason] },
  words: row.words,
  action: row.action,
  source: row.source,
  recorded_date: row.recorded_at.toISOString(),
});

function matching(db: Db, ownerId: AccountId, { search = '', isWhole = false, kind }: OutcomeFilter) {
  const addressKey = isWhole ? addressKeyOf(search) : undefined;
  return db
    .selectFrom('outcomes')
    .select(shownColumns)
    .where('owner_id', '=', ownerId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'unclear'))
    .$if(search !== '', (query) =>
      addressKey === undefined
        ? query.where('email_address', 'ilike', `%${escapePattern(search)}%`)
        : query
            .where(
              sql`uuid_hash_extended(owner_id, address_key)`,
              '=',
              sql`uuid_hash_extended(${ownerId}, ${addressKey})`,
            )
            .where('address_key', '=', addressKey),
    )
    .orderBy('number', 'desc');
}

/** Some outcomes behind a number, the oldest first. */
export const findOutcomesAfter = (
  db: Db,
  ownerId: AccountId,
  { after, limit }: { readonly after: number; readonly limit: number },
) =>
  db
    .selectFrom('outcomes')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
