import {
  type PageQuery,
  type Transaction,
  type TransactionCategory,
  type TransactionSource,
  transactionCategorySchema,
  transactionSourceSchema,
} from '@assay/contract';
import * as z from 'zod/mini';
import { type RowPage, writeCsv } from '../../platform/csv/write-rows.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import {
  countEntries,
  type EntryFilter,
  type EntryGroup,
  type EntryRow,
  findEntries,
  findEntryGroups,
  isEverything,
} from './billing.store.ts';
import { captureKeyPrefix } from './credit-ledger.store.ts';

type ListKind = 'emails' | 'people';

/** The names of lists that still exist. Entries outlive their lists and do not hold names themselves. */
export type FindListNames = (
  kind: ListKind,
  ownerId: AccountId,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

export interface HistoryParts {
  readonly db: Db;
  readonly findListNames: FindListNames;
}

/** The customer's entries, newest first. */
export async function listTransactions(
  parts: HistoryParts,
  ownerId: AccountId,
  {
    page_size,
    page_number,
    group_singles,
    ...filter
  }: PageQuery & EntryFilter & { group_singles?: boolean | undefined },
): Promise<{ results: Transaction[]; total: number }> {
  if (group_singles) return listGrouped(parts, ownerId, { page_size, page_number, ...filter });
  const total = await countEntries(parts.db, ownerId, filter);
  const offset = (page_number - 1) * page_size;
  // Entries are numbered without gaps, so a page of all entries begins at a number instead of an offset.
  const start = isEverything(filter) ? { before: total - offset + 1, offset: 0 } : { offset };
  const entries = await findEntries(parts.db, ownerId, { filter, ...start, limit: page_size });
  return { results: await answerOf(parts, ownerId, entries), total };
}

async function listGrouped(
  parts: HistoryParts,
  ownerId: AccountId,
  { page_size, page_number, ...filter }: PageQuery & EntryFilter,
): Promise<{ results: Transaction[]; total: number }> {
  const page = { filter, limit: page_size, offset: (page_number - 1) * page_size };
  const { groups, total } = await findEntryGroups(parts.db, ownerId, page);
  const answers = await answerOf(parts, ownerId, groups);
  const results = answers.map((answer, index) => {
    const { check_count: count, api_key_id: id, key_name: name } = groups[index] as EntryGroup;
    if (count === 0) return answer;
    const description = count === 1 ? answer.description : `${count} single verifications`;
    return { ...answer, description, checks: { count, key: id === null ? null : { id, name } } };
  });
  return { results, total };
}

async function answerOf(
  { findListNames }: HistoryParts,
  ownerId: AccountId,
  entries: readonly EntryRow[],
): Promise<Transaction[]> {
  const lists = entries.map(listOf);
  const namesOf = (wanted: ListKind) => {
    const ids = lists.flatMap((list) => (list?.kind === wanted ? [list.id] : []));
    return ids.length === 0 ? new Map<string, string>() : findListNames(wanted, ownerId, ids);
  };
  const names = { emails: await namesOf('emails'), people: await namesOf('people') };
  return entries.map((entry, index) => {
    const list = lists[index];
    return {
      number: entry.entry_number,
      category: entry.category as TransactionCategory,
      source: entry.source as TransactionSource,
      description: entry.description,
      amount: entry.amount,
      balance_after: entry.balance_after,
      creation_date: entry.created_at.toISOString(),
      list: list ? { ...list, name: names[list.kind].get(list.id) ?? null } : null,
      invoice_id: entry.invoice_reference,
    };
  });
}

/** The list that the entry settled, by its key. */
function listOf({ key }: EntryRow): { readonly kind: ListKind; readonly id: string } | null {
  if (!key.startsWith(captureKeyPrefix)) return null;
  const [work, id = ''] = key.slice(captureKeyPrefix.length).split(':');
  if (work === 'list') return { kind: 'emails', id };
  return work === 'guess-list' ? { kind: 'people', id } : null;
}

/** The order that a link to the history carries. */
export const historyOrderSchema = z.strictObject({
  ownerId: z.uuid(),
  category: z.optional(transactionCategorySchema),
  source: z.optional(transactionSourceSchema),
  hide_zero: z.optional(z.boolean()),
  expiresAt: z.number(),
});

export const historyExportName = 'Credits history';

const header = ['date', 'type', 'source', 'detail', 'list', 'amount', 'balance', 'invoice'];
const pageLength = 1_000;

/** The history as CSV, newest first; all of it without a filter. No database connection is held while the client reads. */
export const exportHistory = (
  parts: HistoryParts,
  ownerId: AccountId,
  filter: EntryFilter = {},
): AsyncGenerator<Buffer> => writeCsv(header, pagesOf(parts, ownerId, filter));

async function* pagesOf(
  parts: HistoryParts,
  ownerId: AccountId,
  filter: EntryFilter,
): AsyncGenerator<RowPage> {
  for (let before: number | undefined; ; ) {
    const entries = await findEntries(parts.db, ownerId, { filter, before, offset: 0, limit: pageLength });
    yield (await answerOf(parts, ownerId, entries)).values().map(rowOf);
    before = entries.at(-1)?.entry_number;
    if (entries.length < pageLength) return;
  }
}

const rowOf = (entry: Transaction): string[] => [
  entry.creation_date,
  entry.category,
  entry.source,
  entry.description,
  entry.list?.name ?? '',
  String(entry.amount),
  String(entry.balance_after),
  entry.invoice_id ?? '',
];
