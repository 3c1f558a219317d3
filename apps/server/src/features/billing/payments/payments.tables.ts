import type { ColumnType } from 'kysely';
import type { Immutable } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';

interface PaymentEventsTable {
  event_id: Immutable<string>;
  type: Immutable<string>;
  applied_at: Immutable<Date>;
}

interface PurchasesTable {
  owner_id: Immutable<AccountId>;
  invoice_id: Immutable<string>;
  kind: ColumnType<'plan' | 'pack', 'plan' | 'pack' | undefined, never>;
  plan_code: Immutable<string>;
  credits: Immutable<number>;
  paid_cents: Immutable<number>;
  total_cents: ColumnType<number | null, number, never>;
  paid_at: Immutable<Date>;
  refunded_cents: ColumnType<number, never, number>;
}

interface PackCheckoutsTable {
  checkout_reference: Immutable<string>;
  owner_id: Immutable<AccountId>;
  opened_at: Immutable<Date>;
  check_at: Date;
}

interface DepartedCustomersTable {
  customer_reference: Immutable<string>;
  departed_at: Immutable<Date>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    payment_events: PaymentEventsTable;
    purchases: PurchasesTable;
    pack_checkouts: PackCheckoutsTable;
    departed_customers: DepartedCustomersTable;
    former_customers: PlainTable;
    payment_disputes: PlainTable;
  }
}
