import type { ColumnType } from 'kysely';

interface OwnerWishesTable {
  domain: ColumnType<string, string, never>;
  per_day: string | null;
  stop_until: Date | null;
  stop_host: string | null;
  stop_words: string | null;
  changed_at: Date;
}

interface OwnerQuestionsTable {
  domain: ColumnType<string, string, never>;
  day: Date;
  asked: string;
  taken: string;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    owner_wishes: OwnerWishesTable;
    owner_questions: OwnerQuestionsTable;
  }
}
