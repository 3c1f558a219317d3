import type { ActivityKind } from '@assay/contract';
import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

type SetByTrigger<Value> = ColumnType<Value, never, never>;

/** Stored as JSON. Rows of earlier versions have at least these fields. */
export interface ActivityContents {
  readonly kind: ActivityKind;
  readonly about: string | null;
  readonly by: 'customer' | 'api_key' | 'assay';
  readonly address: string | null;
  readonly agent: string | null;
  /** The list that it was done to. Its name is a column of its own, and this a salted hash of the name. */
  readonly list?: { readonly id: string; readonly createdAt: string; readonly nameHash?: string };
  /** The API key that did it, with its name at that time. */
  readonly key?: { readonly id: string; readonly name: string | null };
  /** Of a sign-in: a hash that names the session. */
  readonly session?: string;
}

interface ActivityChainsTable {
  owner_id: Immutable<AccountId>;
  last_number: SetByTrigger<number>;
  last_hash: SetByTrigger<Buffer>;
  erased_at: ColumnType<Date | null, Date, Date>;
}

interface ActivityEntriesTable {
  owner_id: Immutable<AccountId>;
  number: SetByTrigger<number>;
  recorded_at: Immutable<Date>;
  contents: ColumnType<ActivityContents | null, string, null>;
  salt: ColumnType<Buffer | null, never, null>;
  list_name: ColumnType<string | null, string | null, null>;
  list_name_salt: ColumnType<Buffer | null, never, null>;
  contents_hash: SetByTrigger<Buffer>;
  hash: SetByTrigger<Buffer>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    activity_chains: ActivityChainsTable;
    activity_entries: ActivityEntriesTable;
  }
}
