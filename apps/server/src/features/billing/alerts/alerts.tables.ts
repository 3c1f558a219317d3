import type { ColumnType } from 'kysely';

interface BalanceAlertsTable {
  owner_id: ColumnType<string, string, never>;
  threshold: ColumnType<number, number, never>;
  low_since: Date | null;
  told_at: ColumnType<Date | null, never, Date | null>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    balance_alerts: BalanceAlertsTable;
  }
}
