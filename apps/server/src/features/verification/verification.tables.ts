import type { Verdict } from '@assay/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { StoredDetail, WaitCause } from '../engine/index.ts';

interface ListRowsTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  row_number: Immutable<number>;
  cells: Immutable<string>;
  email_address: Immutable<string | null>;
  first_row_number: Immutable<number | null>;
  is_suppressed: Immutable<boolean | null>;
}

interface ListAddressBlocksTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  block_number: Immutable<number>;
  row_numbers: Immutable<number[]>;
  /** In lower case, one in a line. */
  addresses: Immutable<string>;
}

interface ListChunksTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  chunk_number: Immutable<number>;
  row_numbers: Immutable<number[]>;
}

interface ListResultsTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  row_number: Immutable<number>;
  verdict: Immutable<Verdict>;
  reason: Immutable<string>;
  /** One bit for each of `ADDRESS_FLAGS`; null in older results, like the provider and the suggestion. */
  flags: Immutable<number | null>;
  mx_provider: Immutable<string | null>;
  suggestion: Immutable<string | null>;
  /** The pack in `list_evidence`; null for results that are older than that table. */
  batch_id: Immutable<number | null>;
  checked_at: Immutable<Date>;
}

/** Of large lists only. */
interface ListKindsTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  verdict: Immutable<Verdict>;
  reason: Immutable<string>;
  flags: Immutable<number | null>;
  mx_provider: Immutable<string | null>;
  emails: number;
}

interface ListEvidenceTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  batch_id: Immutable<number>;
  details: Immutable<Buffer>;
}

/** Rows of some lists, by the hash of their address. */
interface AddressRunsTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  list_ids: Immutable<string[]>;
  row_count: Immutable<number>;
  pack_count: number;
}

interface AddressPacksTable {
  owner_id: Immutable<AccountId>;
  run_id: Immutable<string>;
  first_key: Immutable<number>;
  entries: Immutable<Buffer>;
}

interface ExportLinksTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  list_id: Immutable<string>;
  token_hash: Immutable<string>;
  export: ColumnType<unknown, string, never>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
  last_used_at: ColumnType<Date | null, never, Date>;
}

interface SingleValidationsTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  email_address: Immutable<string>;
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETE';
  is_sandbox: ColumnType<boolean, boolean | undefined, never>;
  api_key_id: ColumnType<string | null, string | null | undefined, never>;
  verdict: ColumnType<Verdict | null, Verdict | null | undefined, Verdict>;
  reason: ColumnType<string | null, string | null | undefined, string>;
  detail: ColumnType<StoredDetail | null, string | null | undefined, string>;
  wait: ColumnType<StoredWait | null, never, string | null>;
  created_at: Immutable<Date>;
  completed_at: ColumnType<Date | null, Date | null | undefined, Date>;
}

/** What a check waits for. */
export interface StoredWait {
  readonly cause: WaitCause;
  readonly host: string;
  readonly until: string;
}

interface ValidationMetricsTable {
  owner_id: Immutable<AccountId>;
  quarter: Immutable<Date>;
  pending: Generated<number>;
  valid: Generated<number>;
  invalid: Generated<number>;
  catch_all: Generated<number>;
  unknown: Generated<number>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    list_rows: ListRowsTable;
    list_address_blocks: ListAddressBlocksTable;
    list_chunks: ListChunksTable;
    list_results: ListResultsTable;
    list_kinds: ListKindsTable;
    list_evidence: ListEvidenceTable;
    address_runs: AddressRunsTable;
    address_packs: AddressPacksTable;
    export_links: ExportLinksTable;
    single_validations: SingleValidationsTable;
    validation_metrics: ValidationMetricsTable;
  }
}
