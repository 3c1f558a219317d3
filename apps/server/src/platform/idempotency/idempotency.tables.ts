import type { ColumnType } from 'kysely';
import type { Immutable } from '../database/tables.ts';
import type { AccountId } from '../ids.ts';

interface IdempotentAnswersTable {
  owner_id: Immutable<AccountId>;
  key: Immutable<string>;
  request_hash: Immutable<string>;
  answer: ColumnType<unknown, string | null, string | null>;
  created_at: Immutable<Date>;
}

declare module '../database/tables.ts' {
  interface Tables {
    idempotent_answers: IdempotentAnswersTable;
  }
}
