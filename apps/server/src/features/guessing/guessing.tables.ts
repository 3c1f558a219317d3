import type { GuessOutcome, Verdict } from '@assay/contract';
import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { StoredDetail } from '../engine/index.ts';
import type { Pattern } from './patterns/patterns.ts';

/** One address that was tried, as stored with the guess. */
export interface StoredTry {
  readonly emailAddress: string;
  readonly pattern: Pattern;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly detail: StoredDetail;
}

interface GuessesTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  list_id: Immutable<string | null>;
  row_number: Immutable<number | null>;
  first_name: Immutable<string>;
  last_name: Immutable<string>;
  domain: Immutable<string>;
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETE';
  tries: ColumnType<readonly StoredTry[], string | undefined, string>;
  outcome: ColumnType<GuessOutcome | null, GuessOutcome | null | undefined, GuessOutcome>;
  email_address: ColumnType<string | null, string | null | undefined, string | null>;
  reason: ColumnType<string | null, string | null | undefined, string | null>;
  charges_every_answer: Immutable<boolean>;
  detail: ColumnType<StoredDetail | null, string | null | undefined, string | null>;
  created_at: Immutable<Date>;
  completed_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

interface GuessListRowsTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  row_number: Immutable<number>;
  cells: Immutable<string>;
  person_row_number: Immutable<number | null>;
  problem: Immutable<string | null>;
}

interface GuessPatternsTable {
  domain: Immutable<string>;
  pattern: Immutable<string>;
  proved: number;
  last_proved_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    /** Of earlier versions. */
    guess_uploads: PlainTable;
    guesses: GuessesTable;
    guess_list_rows: GuessListRowsTable;
    guess_patterns: GuessPatternsTable;
  }
}
