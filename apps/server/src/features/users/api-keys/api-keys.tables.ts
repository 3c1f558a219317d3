import type { ColumnType } from 'kysely';
import type { Immutable } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';

interface ApiKeysTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  key_hash: string;
  sealed_key: string;
  created_at: Immutable<Date>;
  last_used_at: ColumnType<Date | null, never, Date>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
  }
}
