import type { AccountRole, RetentionDays } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import type { ColumnType, Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId, UserId } from '../../platform/ids.ts';

interface AccountsTable {
  id: Immutable<AccountId>;
  standing: Generated<Standing>;
  guessing_enabled: Generated<boolean>;
  retention_days: ColumnType<RetentionDays | null, never, RetentionDays | null>;
  created_at: Immutable<Date>;
}

interface MembershipsTable {
  account_id: Immutable<AccountId>;
  user_id: Immutable<UserId>;
  role: AccountRole;
  wants_list_mails: Generated<boolean>;
  wants_balance_mails: Generated<boolean>;
  wants_plan_mails: Generated<boolean>;
  created_at: Immutable<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    accounts: AccountsTable;
    memberships: MembershipsTable;
  }
}
