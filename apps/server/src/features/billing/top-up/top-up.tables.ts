import type { TopUpStop } from '@assay/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';

interface AutomaticTopUpsTable {
  owner_id: Immutable<AccountId>;
  is_on: boolean;
  below: number;
  pack_code: string;
  monthly_cap_cents: number;
  stopped_because: TopUpStop | null;
  is_stop_told: ColumnType<boolean, never, boolean>;
  cap_reached_at: ColumnType<Date | null, never, Date | null>;
  is_cap_told: ColumnType<boolean, never, boolean>;
}

type InvoiceState = 'none' | 'wanted' | 'written';

interface TopUpOrdersTable {
  order_id: Generated<string>;
  owner_id: Immutable<AccountId>;
  pack_code: Immutable<string>;
  price_cents: Immutable<number>;
  card_reference: Immutable<string>;
  status: Generated<'open' | 'paid' | 'failed'>;
  opened_at: Immutable<Date>;
  payment_reference: ColumnType<string | null, string | undefined, string>;
  card_mark: ColumnType<string | null, string | undefined, never>;
  is_given_up: ColumnType<boolean, never, boolean>;
  invoice_state: Generated<InvoiceState>;
}

interface DeclinedCardsTable {
  card_mark: Immutable<string>;
  declined_at: Date;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    automatic_top_ups: AutomaticTopUpsTable;
    top_up_orders: TopUpOrdersTable;
    declined_cards: DeclinedCardsTable;
  }
}
