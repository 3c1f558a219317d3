import type { ListWait } from '@assay/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { ErrorCode } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { ListStatus } from './list-status.ts';

export type ListKindName = 'emails' | 'people';

/** A column that a list gets later, if at all. */
type Later<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;

/** Lists of all kinds. What a column says of a list that is not of its kind is 0, false or null. */
interface ListsTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  kind: Immutable<ListKindName>;
  name: string;
  status: ListStatus;
  is_sandbox: ColumnType<boolean, boolean | undefined, never>;
  file_name: Immutable<string | null>;
  delimiter: string;
  header: string | null;
  created_at: Immutable<Date>;
  completed_at: Later<Date>;
  progress_told_at: Later<Date>;
  run_number: Generated<number>;
  paused_at: Later<Date>;
  is_paused_by_standing: Generated<boolean>;
  completion_noted_at: Later<Date>;
  source_list_id: ColumnType<string | null, string | null | undefined, never>;
  has_real_domain: boolean;

  // Of a list whose rows a job copies.
  with_headers: Later<boolean>;
  rows_to_copy: Later<number>;
  rows_copied: Later<number>;
  problem: Later<ErrorCode>;
  problem_text: Later<string>;

  // Of lists of emails.
  column_count: Later<number>;
  email_column: Later<number>;
  is_even: Generated<boolean>;
  duplicated_emails: Later<number>;
  malformed_emails: Later<number>;
  missing_emails: Later<number>;
  suppressed_emails: Later<number>;
  total_emails: Generated<number>;
  valid_emails: Generated<number>;
  invalid_emails: Generated<number>;
  catch_all_emails: Generated<number>;
  unknown_emails: Generated<number>;
  safe_emails: Later<number>;

  // Of lists of people.
  total_people: Generated<number>;
  duplicated_people: Later<number>;
  unusable_people: Later<number>;
  found: Generated<number>;
  catch_all: Generated<number>;
  not_found: Generated<number>;
  unknown: Generated<number>;
  charges_every_answer: Generated<boolean>;
}

interface ListWaitsTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  run_number: Immutable<number>;
  host: Immutable<string>;
  until: Immutable<Date>;
  row_count: Immutable<number>;
  row_numbers: ColumnType<number[], string | undefined, never>;
  since: ColumnType<Date | null, Date | undefined, never>;
  attempts: ColumnType<number, number | undefined, never>;
  cause: ColumnType<ListWait['cause'], ListWait['cause'] | undefined, never>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    lists: ListsTable;
    list_waits: ListWaitsTable;
  }
}
