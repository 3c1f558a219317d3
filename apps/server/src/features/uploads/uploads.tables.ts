import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

/** What the rows of a file are, as in the lists that are made of it. */
export type UploadKind = 'emails' | 'people';

type Json<Value> = ColumnType<Value, string, string>;

interface UploadsTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  kind: Immutable<UploadKind>;
  file_name: Immutable<string>;
  file_key: Immutable<string>;
  byte_count: Immutable<number>;
  content_hash: Immutable<string | null>;
  encoding: Immutable<string>;
  dialect: Json<unknown>;
  row_count: number;
  billable: number;
  /** Null, like the next one, in uploads of earlier versions. */
  billable_below_first: number | null;
  has_real_domain: boolean | null;
  /** Null where no suppressions were looked at. */
  screened_number: number | null;
  suppressed_hashes: Buffer | null;
  is_sandbox: ColumnType<boolean, boolean | undefined, never>;
  /** Null once the file is counted. */
  reading_wish: ColumnType<unknown, string | undefined, never>;
  list_id: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
}

interface UploadReservationsTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  byte_count: Immutable<number>;
  expires_at: Immutable<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    uploads: UploadsTable;
    upload_reservations: UploadReservationsTable;
  }
}
