import type { MailboxTrouble } from '@assay/contract';
import type { Generated } from 'kysely';
import type { Immutable } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';

interface OutcomeMailboxesTable {
  owner_id: Immutable<AccountId>;
  id: Immutable<string>;
  host: Immutable<string>;
  user_name: Immutable<string>;
  sealed_secret: string;
  folder: Immutable<string>;
  uid_validity: number | null;
  last_uid: Generated<number>;
  read_mails: Generated<number>;
  found_outcomes: Generated<number>;
  trouble: MailboxTrouble | null;
  failures: Generated<number>;
  last_read_at: Date | null;
  due_at: Date;
  created_at: Immutable<Date>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    outcome_mailboxes: OutcomeMailboxesTable;
  }
}
