import type { ColumnType } from 'kysely';

/**
 * Every table by name. Empty here: each feature adds its own rows' types beside its SQL, by declaring this interface
 * again for this module (`declare module '…/platform/database/tables.ts' { interface Tables { … } }`), so that the
 * platform knows no feature and one `Db` knows all tables.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features fill it by declaration merging.
export interface Tables {}

/** A column that is written once, with its row. */
export type Immutable<Value> = ColumnType<Value, Value, never>;
