import type { ColumnType } from 'kysely';

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
  owner_id: string | null;
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
