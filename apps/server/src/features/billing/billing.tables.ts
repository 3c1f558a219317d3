import type { FreeCreditsWithheld } from '@assay/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

interface WalletsTable {
  owner_id: Immutable<AccountId>;
  balance: Generated<number>;
  held: Generated<number>;
  entry_count: Generated<number>;
  /** The database counts it. */
  bought: ColumnType<number, never, never>;
  /** The sum of `payment_disputes.claimed`. */
  claimed: Generated<number>;
  opened_at: Immutable<Date>;
}

interface LedgerEntriesTable {
  owner_id: Immutable<AccountId>;
  entry_number: Immutable<number>;
  key: Immutable<string>;
  category: Immutable<string>;
  source: Immutable<string>;
  description: Immutable<string>;
  amount: Immutable<number>;
  balance_after: Immutable<number>;
  invoice_reference: Immutable<string | null>;
  api_key_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Immutable<Date>;
}

interface HoldsTable {
  owner_id: Immutable<AccountId>;
  reference: Immutable<string>;
  amount: Immutable<number>;
  status: Generated<'held' | 'captured' | 'released'>;
  captured: number | null;
  api_key_id: ColumnType<string | null, string | null | undefined, never>;
  placed_at: Immutable<Date>;
  settled_at: Date | null;
}

interface ApiKeyUsageTable {
  owner_id: Immutable<AccountId>;
  api_key_id: Immutable<string>;
  day: Immutable<string>;
  credits: number;
}

interface SubscriptionsTable {
  owner_id: Immutable<AccountId>;
  plan_code: string;
  anchored_at: Date;
  next_renewal_at: Date;
  has_free_allowance: Generated<boolean>;
  customer_reference: ColumnType<string | null, never, string | null>;
  subscription_reference: ColumnType<string | null, never, string | null>;
  setup_key: ColumnType<string, never, string>;
  past_due_since: ColumnType<Date | null, never, Date | null>;
  synced_ticket: ColumnType<number, never, number>;
  free_credits_at: Date;
  address_changed_at: ColumnType<Date | null, never, Date | null>;
  pending_kind: ColumnType<
    'plan_change' | 'cancellation' | null,
    never,
    'plan_change' | 'cancellation' | null
  >;
  pending_plan_code: ColumnType<string | null, never, string | null>;
  pending_at: ColumnType<Date | null, never, Date | null>;
  owed_invoice_id: ColumnType<string | null, never, string | null>;
  owed_cents: ColumnType<number | null, never, number | null>;
  owed_plan_code: ColumnType<string | null, never, string | null>;
  owed_since: ColumnType<Date | null, never, Date | null>;
  needs_sync: ColumnType<boolean, never, boolean>;
  free_credits_withheld: ColumnType<FreeCreditsWithheld | null, never, FreeCreditsWithheld | null>;
}

interface FreeCreditClaimsTable {
  mailbox_hash: string;
  owner_id: AccountId | null;
  claimed_at: Date;
  /** Null at mail providers, and for claims of earlier versions. */
  domain_hash: string | null;
  state: Generated<'granted' | 'withheld' | 'reviewed' | 'domain_proved'>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    wallets: WalletsTable;
    ledger_entries: LedgerEntriesTable;
    holds: HoldsTable;
    api_key_usage: ApiKeyUsageTable;
    subscriptions: SubscriptionsTable;
    free_credit_claims: FreeCreditClaimsTable;
  }
}
