import type { ColumnType } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';

interface BackupsTable {
  id: ColumnType<number, never, never>;
  started_at: ColumnType<Date, Date, never>;
  ended_at: Date | null;
  outcome: 'running' | 'complete' | 'failed';
  byte_count: number | null;
  row_count: number | null;
}

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
    backups: BackupsTable;
    unfinished_restores: UnfinishedRestoresTable;
    deletions_to_log: DeletionsToLogTable;
  }
}
