import type { OutcomeKind, OutcomeSource } from '@assay/contract';
import type { BounceFinding, BounceReason } from '@assay/verifier/bounces';
import type { Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

interface OutcomeCountersTable {
  owner_id: Immutable<AccountId>;
  last_number: Generated<number>;
  matched_number: Generated<number>;
}

interface OutcomesTable {
  owner_id: Immutable<AccountId>;
  number: Immutable<number>;
  email_address: Immutable<string>;
  address_key: Immutable<number>;
  kind: Immutable<OutcomeKind>;
  subject: Immutable<BounceFinding['subject']>;
  action: Immutable<BounceFinding['action']>;
  reason: Immutable<BounceReason>;
  rule: Immutable<string>;
  words: Immutable<string>;
  happened_at: Immutable<Date>;
  slack_seconds: Immutable<number>;
  source: Immutable<OutcomeSource>;
  source_id: Immutable<string | null>;
  event_id: Immutable<string | null>;
  event_key: Immutable<number | null>;
  list_id: Immutable<string | null>;
  recorded_at: Immutable<Date>;
}

interface OutcomeCountsTable {
  owner_id: Immutable<AccountId>;
  kind: Immutable<OutcomeKind>;
  /** Kept by triggers. */
  count: Immutable<number>;
}

interface OutcomeMatchesTable {
  owner_id: Immutable<AccountId>;
  check_id: Immutable<string>;
  row_number: Immutable<number>;
  outcome_number: Immutable<number>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    outcome_counters: OutcomeCountersTable;
    outcomes: OutcomesTable;
    outcome_counts: OutcomeCountsTable;
    outcome_matches: OutcomeMatchesTable;
  }
}
