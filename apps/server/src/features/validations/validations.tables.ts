import type { Verdict } from '@assay/contract';
import type { ColumnType, Generated } from 'kysely';

type Immutable<Value> = ColumnType<Value, Value, never>;
type Json<Value> = ColumnType<Value, string, string>;

interface UploadsTable {
  owner_id: Immutable<string>;
  id: Immutable<string>;
  file_name: Immutable<string>;
  file_key: Immutable<string>;
  byte_count: Immutable<number>;
  content_hash: Immutable<string | null>;
  encoding: Immutable<string>;
  dialect: Json<unknown>;
  row_count: Immutable<number>;
  billable: Immutable<number>;
  is_sandbox: ColumnType<boolean, boolean | undefined, never>;
  list_id: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
}

interface UploadReservationsTable {
  owner_id: Immutable<string>;
  id: Immutable<string>;
  byte_count: Immutable<number>;
  expires_at: Immutable<Date>;
}

type ListStatus = 'DRAFT' | 'PENDING' | 'COMPLETE' | 'DELETED';

interface ValidationListsTable {
  owner_id: Immutable<string>;
  id: Immutable<string>;
  name: string;
  status: ListStatus;
  is_sandbox: ColumnType<boolean, boolean | undefined, never>;
  delimiter: Immutable<string>;
  header: string | null;
  column_count: ColumnType<number | null, never, number>;
  email_column: ColumnType<number | null, never, number>;
  is_even: ColumnType<boolean, never, boolean>;
  duplicated_emails: ColumnType<number | null, never, number>;
  malformed_emails: ColumnType<number | null, never, number>;
  missing_emails: ColumnType<number | null, never, number>;
  total_emails: Generated<number>;
  valid_emails: Generated<number>;
  invalid_emails: Generated<number>;
  catch_all_emails: Generated<number>;
  unknown_emails: Generated<number>;
  created_at: Immutable<Date>;
  completed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  progress_told_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

interface ListRowsTable {
  owner_id: Immutable<string>;
  list_id: Immutable<string>;
  row_number: Immutable<number>;
  cells: Immutable<string>;
  email_address: Immutable<string | null>;
  first_row_number: Immutable<number | null>;
}

interface ListChunksTable {
  owner_id: Immutable<string>;
  list_id: Immutable<string>;
  chunk_number: Immutable<number>;
  row_numbers: Immutable<number[]>;
}

interface ListResultsTable {
  owner_id: Immutable<string>;
  list_id: Immutable<string>;
  row_number: Immutable<number>;
  verdict: Immutable<Verdict>;
  reason: Immutable<string>;
  /** Where in `list_evidence` it says how this was found; null for results from before that table. */
  batch_id: Immutable<number | null>;
  checked_at: Immutable<Date>;
}

interface ListEvidenceTable {
  owner_id: Immutable<string>;
  list_id: Immutable<string>;
  batch_id: Immutable<number>;
  details: Immutable<Buffer>;
}

interface SingleValidationsTable {
  owner_id: Immutable<string>;
  id: Immutable<string>;
  email_address: Immutable<string>;
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETE';
  is_sandbox: ColumnType<boolean, boolean | undefined, never>;
  verdict: ColumnType<Verdict | null, Verdict | null | undefined, Verdict>;
  reason: ColumnType<string | null, string | null | undefined, string>;
  detail: ColumnType<StoredDetail | null, string | null | undefined, string>;
  created_at: Immutable<Date>;
  completed_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

interface ValidationMetricsTable {
  owner_id: Immutable<string>;
  quarter: Immutable<Date>;
  pending: Generated<number>;
  valid: Generated<number>;
  invalid: Generated<number>;
  catch_all: Generated<number>;
  unknown: Generated<number>;
}

interface IdempotentAnswersTable {
  owner_id: Immutable<string>;
  key: Immutable<string>;
  request_hash: Immutable<string>;
  answer: ColumnType<unknown, string | null, string | null>;
  created_at: Immutable<Date>;
}

interface DomainFactsTable {
  domain: Immutable<string>;
  is_catch_all: boolean;
  proved_at: Date;
}

/** What is kept beside a verdict for whoever asks why, in the shape in which the wire carries it. */
export interface StoredDetail {
  readonly flags: { disposable: boolean; role: boolean; free_provider: boolean; plus_tag: boolean } | null;
  readonly suggestion: string | null;
  readonly evidence: readonly {
    readonly stage: string;
    readonly host: string | null;
    readonly address: string | null;
    readonly reply: string | null;
    readonly took_ms: number;
  }[];
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    uploads: UploadsTable;
    upload_reservations: UploadReservationsTable;
    validation_lists: ValidationListsTable;
    list_rows: ListRowsTable;
    list_chunks: ListChunksTable;
    list_results: ListResultsTable;
    list_evidence: ListEvidenceTable;
    single_validations: SingleValidationsTable;
    validation_metrics: ValidationMetricsTable;
    idempotent_answers: IdempotentAnswersTable;
    domain_facts: DomainFactsTable;
  }
}
