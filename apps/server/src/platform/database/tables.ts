import type { ColumnType } from 'kysely';

/**
 * Every table by name: each feature adds its own rows' types beside its SQL, by declaring this interface
 * again for this module (`declare module '…/platform/database/tables.ts' { interface Tables { … } }`), so that the
 * platform knows no feature and one `Db` knows all tables.
 */
export interface Tables {
  job_runs: PlainTable;
  operation_counts: PlainTable;
  operation_errors: PlainTable;
  schema_functions: PlainTable;
  schema_migrations: PlainTable;
}

/** A table that only plain SQL names. Declaring it says to which room it belongs. */
export type PlainTable = Record<string, never>;

/** A column that is written once, with its row. */
export type Immutable<Value> = ColumnType<Value, Value, never>;
