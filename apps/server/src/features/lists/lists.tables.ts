import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

interface ListWaitsTable {
  owner_id: Immutable<AccountId>;
  list_id: Immutable<string>;
  run_number: Immutable<number>;
  host: Immutable<string>;
  until: Immutable<Date>;
  row_count: Immutable<number>;
  row_numbers: ColumnType<number[], string | undefined, never>;
  since: ColumnType<Date | null, Date | undefined, never>;
  attempts: ColumnType<number, number | undefined, never>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    list_waits: ListWaitsTable;
  }
}
