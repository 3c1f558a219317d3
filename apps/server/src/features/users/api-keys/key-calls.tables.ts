import type { ColumnType } from 'kysely';
import type { AccountId } from '../../../platform/ids.ts';

interface ApiKeyCallsTable {
  owner_id: AccountId;
  api_key_id: string;
  called_at: Date;
  number: ColumnType<number, never, never>;
  call: string;
  http_status: number;
  took_ms: number;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    api_key_calls: ApiKeyCallsTable;
  }
}
