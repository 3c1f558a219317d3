import type { ColumnType } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';

interface UnfinishedRestoresTable {
  started_at: Date;
}

interface DeletionsToLogTable {
  number: ColumnType<number, never, never>;
  kind: string;
  owner_id: AccountId | null;
  id: string | null;
  replaced_hash: string | null;
  action: unknown;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    unfinished_restores: UnfinishedRestoresTable;
    deletions_to_log: DeletionsToLogTable;
  }
}
