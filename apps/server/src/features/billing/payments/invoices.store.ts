import {
  findPlan,
  type Invoice,
  type InvoiceStatus,
  type PageQuery,
  type TransactionSource,
} from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { purchaseKeyPrefixes } from './purchases.ts';

interface InvoiceRow {
  readonly invoice_id: string;
  readonly kind: 'plan' | 'pack';
  readonly plan_code: string;
  /** Null for an open invoice. */
  readonly credits: number | null;
  readonly status: InvoiceStatus;
  readonly total_cents: number;
  readonly paid_cents: number;
  readonly refunded_cents: number;
  readonly moment: Date;
  readonly has_pdf: boolean;
}

const automatic: TransactionSource = 'AUTOMATIC_TOP_UP';

/** What was paid, and the invoice that is owed. A lost dispute counts: its money is gone. */
const invoicesOf = (ownerId: AccountId): RawBuilder<InvoiceRow> => sql`
  select invoice_id, kind, plan_code, credits, coalesce(total_cents, paid_cents) as total_cents, paid_cents, refunded_cents,
    paid_at as moment,
    case
      when exists (select from payment_disputes as dispute
        where dispute.owner_id = ${ownerId} and dispute.invoice_id = purchases.invoice_id
          and dispute.kind = 'dispute' and dispute.status <> 'won') then 'disputed'
      when refunded_cents > 0 then 'refunded'
      else 'paid'
    end as status,
    not exists (select from ledger_entries
      where ledger_entries.owner_id = ${ownerId} and source = ${automatic}
        and key = ${purchaseKeyPrefixes.pack} || purchases.invoice_id)
    or exists (select from top_up_orders
      where top_up_orders.owner_id = ${ownerId} and payment_reference = purchases.invoice_id
        and invoice_state = 'written') as has_pdf
  from purchases where owner_id = ${ownerId}
  union all
  select owed_invoice_id, 'plan', owed_plan_code, null, owed_cents, 0, 0, owed_since, 'open', true
  from subscriptions where owner_id = ${ownerId} and owed_invoice_id is not null`;

/** The customer's invoices, newest first. */
export async function listInvoices(
  db: Db,
  ownerId: AccountId,
  { page_size, page_number }: PageQuery,
): Promise<{ results: Invoice[]; total: number }> {
  const counted = await sql<{ total: number }>`
    select (select count(*) from purchases where owner_id = ${ownerId})
      + (select count(owed_invoice_id) from subscriptions where owner_id = ${ownerId}) as total`.execute(db);
  const { rows } = await sql<InvoiceRow>`
    select * from (${invoicesOf(ownerId)}) as invoices order by moment desc, invoice_id desc
    limit ${page_size} offset ${(page_number - 1) * page_size}`.execute(db);
  return { results: rows.map(invoiceAnswer), total: counted.rows[0]?.total ?? 0 };
}

const invoiceAnswer = (row: InvoiceRow): Invoice => ({
  id: row.invoice_id,
  kind: row.kind,
  code: row.plan_code,
  credits: row.credits ?? findPlan(row.plan_code)?.monthlyCredits ?? 0,
  status: row.status,
  total_in_cents: row.total_cents,
  paid_in_cents: row.paid_cents,
  refunded_in_cents: row.refunded_cents,
  date: row.moment.toISOString(),
  paid_date: row.status === 'open' ? null : row.moment.toISOString(),
  has_pdf: row.has_pdf,
});

/** Whether it is one of the customer's own. */
export async function hasInvoice(
  db: Db,
  { ownerId, invoiceId }: { ownerId: AccountId; invoiceId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from (${invoicesOf(ownerId)}) as invoices where invoice_id = ${invoiceId}`.execute(db);
  return rows.length > 0;
}
