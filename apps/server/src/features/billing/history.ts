import type { PageQuery, Transaction, TransactionCategory, TransactionSource } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import { countEntries, findEntries } from './billing.store.ts';

/** The customer's entries, newest first. */
export async function listTransactions(
  db: Db,
  ownerId: string,
  page: PageQuery,
): Promise<{ results: Transaction[]; total: number }> {
  // Entries are numbered without gaps, so the count is the newest number and a page is a range of numbers.
  const total = await countEntries(db, ownerId);
  const newest = total - (page.page_number - 1) * page.page_size;
  const entries = await findEntries(db, { ownerId, from: newest - page.page_size + 1, to: newest });
  const results = entries.map((entry) => ({
    number: entry.entry_number,
    category: entry.category as TransactionCategory,
    source: entry.source as TransactionSource,
    description: entry.description,
    amount: entry.amount,
    balance_after: entry.balance_after,
    creation_date: entry.created_at.toISOString(),
    invoice_id: entry.invoice_reference,
  }));
  return { results, total };
}
