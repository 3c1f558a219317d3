import type { ColumnType } from 'kysely';

type Immutable<Value> = ColumnType<Value, Value, never>;

interface PaymentEventsTable {
  event_id: Immutable<string>;
  type: Immutable<string>;
  applied_at: Immutable<Date>;
}

interface PurchasesTable {
  owner_id: Immutable<string>;
  invoice_id: Immutable<string>;
  plan_code: Immutable<string>;
  credits: Immutable<number>;
  paid_cents: Immutable<number>;
  paid_at: Immutable<Date>;
}

interface DepartedCustomersTable {
  customer_reference: Immutable<string>;
  departed_at: Immutable<Date>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    payment_events: PaymentEventsTable;
    purchases: PurchasesTable;
    departed_customers: DepartedCustomersTable;
  }
}
