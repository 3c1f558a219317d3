import type { ColumnType } from 'kysely';

type Immutable<Value> = ColumnType<Value, Value, never>;

interface ListWaitsTable {
  owner_id: Immutable<string>;
  list_id: Immutable<string>;
  run_number: Immutable<number>;
  host: Immutable<string>;
  until: Immutable<Date>;
  row_count: Immutable<number>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    list_waits: ListWaitsTable;
  }
}
