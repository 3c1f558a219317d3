import type { SuppressionReason, SuppressionSource } from '@assay/contract';
import type { Generated } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { AccountId } from '../../platform/ids.ts';

interface SuppressionsTable {
  owner_id: Immutable<AccountId>;
  target: Immutable<string>;
  id: string;
  number: number;
  reason: SuppressionReason;
  source: SuppressionSource;
  created_at: Date;
  ends_at: Date | null;
  removed_at: Date | null;
}

interface SuppressionClocksTable {
  owner_id: Immutable<AccountId>;
  last_number: Generated<number>;
  entries: Generated<number>;
  generation: Generated<number>;
  forgotten_number: Generated<number>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    suppressions: SuppressionsTable;
    suppression_clocks: SuppressionClocksTable;
  }
}
