import type { ColumnType } from 'kysely';
import type { AccountId } from '../../../platform/ids.ts';

interface BalanceAlertsTable {
  owner_id: ColumnType<AccountId, string, never>;
  threshold: ColumnType<number, number, never>;
  low_since: Date | null;
  told_at: ColumnType<Date | null, never, Date | null>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    balance_alerts: BalanceAlertsTable;
  }
}
