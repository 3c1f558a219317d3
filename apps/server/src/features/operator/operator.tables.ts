import type { OperatorActionKind } from '@assay/contract/operator';
import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';

interface OperatorActionsTable {
  number: ColumnType<number, never, never>;
  recorded_at: Immutable<Date>;
  actor_id: Immutable<string | null>;
  actor_name: Immutable<string | null>;
  kind: Immutable<OperatorActionKind>;
  customer_id: Immutable<string | null>;
  about: Immutable<string>;
  reason: Immutable<string>;
  hash: ColumnType<Buffer, never, never>;
}

/** Recovery writes them, and the console shows the last one. */
interface BackupsTable {
  id: ColumnType<number, never, never>;
  started_at: ColumnType<Date, Date, never>;
  ended_at: Date | null;
  outcome: 'running' | 'complete' | 'failed';
  byte_count: number | null;
  row_count: number | null;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    operator_actions: OperatorActionsTable;
    operator_chain: PlainTable;
    abuse_scores: PlainTable;
    incidents: PlainTable;
    backups: BackupsTable;
  }
}
