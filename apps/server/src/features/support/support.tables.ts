import type { ColumnType } from 'kysely';

type Immutable<Value> = ColumnType<Value, Value, never>;

interface SupportCasesTable {
  owner_id: Immutable<string>;
  id: Immutable<string>;
  subject: Immutable<string>;
  description: Immutable<string>;
  created_at: Immutable<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    support_cases: SupportCasesTable;
  }
}
