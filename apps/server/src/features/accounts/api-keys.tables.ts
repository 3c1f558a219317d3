import type { KeyMode, KeyScope } from '@assay/contract';
import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

// Here and not with their calls in users, because billing charges them.

/** The first key of an account: it has all scopes and no limit. */
interface ApiKeysTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  key_hash: string;
  sealed_key: string;
  created_at: Immutable<Date>;
  last_used_at: ColumnType<Date | null, never, Date>;
}

/** Further keys. */
interface ScopedApiKeysTable {
  id: Immutable<string>;
  owner_id: Immutable<AccountId>;
  name: string;
  mode: Immutable<KeyMode>;
  scopes: KeyScope[];
  monthly_credit_limit: number | null;
  allowed_networks: string[];
  expires_at: Date | null;
  key_hash: string;
  ending: string;
  previous_hash: ColumnType<string | null, never, string | null>;
  previous_valid_until: ColumnType<Date | null, never, Date | null>;
  created_at: Immutable<Date>;
  last_used_at: ColumnType<Date | null, never, Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
    scoped_api_keys: ScopedApiKeysTable;
  }
}
