import type { ColumnType } from 'kysely';

interface QuestionBillsTable {
  owner_id: ColumnType<string, string, never>;
  day: Date;
  work_id: ColumnType<string, string, never>;
  provider: ColumnType<string, string, never>;
  questions: string;
  proofs: string;
  controls: string;
  unknown: string;
  blocked: string;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    question_bills: QuestionBillsTable;
  }
}
