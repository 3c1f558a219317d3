import type { OperatorRole } from '@assay/contract';
import type { OperatorActionKind } from '@assay/contract/operator';
import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { UserId } from '../../platform/ids.ts';

interface OperatorsTable {
  user_id: Immutable<UserId>;
  role: OperatorRole;
  added_at: Immutable<Date>;
}

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

declare module '../../platform/database/tables.ts' {
  interface Tables {
    operators: OperatorsTable;
    operator_actions: OperatorActionsTable;
  }
}
