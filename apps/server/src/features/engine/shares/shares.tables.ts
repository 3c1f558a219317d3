import type { ShareState } from '@assay/verifier';
import type { ColumnType } from 'kysely';

interface ShareStatesTable {
  egress: ColumnType<string, string, never>;
  provider: ColumnType<string, string, never>;
  state: ShareState;
  changed_at: Date;
}

interface EgressPlansTable {
  egress: ColumnType<string, string, never>;
  started_at: Date;
  weeks: number;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    share_states: ShareStatesTable;
    egress_plans: EgressPlansTable;
  }
}
