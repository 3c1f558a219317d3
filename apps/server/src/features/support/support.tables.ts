import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { CaseChannelName } from './support.jobs.ts';

interface SupportCasesTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  subject: Immutable<string>;
  description: Immutable<string>;
  phone: Immutable<string | null>;
  created_at: Immutable<Date>;
}

interface SupportDeliveriesTable {
  owner_id: Immutable<AccountId>;
  case_id: Immutable<string>;
  channel: Immutable<CaseChannelName>;
  tries: Generated<number>;
  problem: ColumnType<string | null, string | null | undefined, string | null>;
  accepted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    support_cases: SupportCasesTable;
    support_deliveries: SupportDeliveriesTable;
  }
}
