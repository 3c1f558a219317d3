import type { OutcomeKind } from '@assay/contract';
import type { Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { OutcomeSource } from './outcome.ts';

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
  subject: Immutable<string>;
  action: Immutable<string>;
  reason: Immutable<string>;
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
    outcome_matches: OutcomeMatchesTable;
  }
}
