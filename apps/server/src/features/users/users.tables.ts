import type { OperatorRole } from '@assay/contract';
import type { ColumnType } from 'kysely';
import type { Immutable } from '../../platform/database/tables.ts';
import type { UserId } from '../../platform/ids.ts';

interface UsersTable {
  id: Immutable<string>;
  first_name: string;
  last_name: string;
  email_address: string;
  phone: string | null;
  can_change_password: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
  sessions_valid_from: ColumnType<Date | null, never, Date>;
  kept_session: ColumnType<string | null, never, string | null>;
  created_at: Immutable<Date>;
}

interface UserIdentitiesTable {
  issuer: Immutable<string>;
  subject: Immutable<string>;
  user_id: Immutable<UserId>;
  providers: string[];
  email_address: string;
  address_key: string;
  email_verified: boolean;
  profile_as_of: Date;
  created_at: Immutable<Date>;
}

interface DeletedIdentitiesTable {
  identity_hash: Immutable<string>;
  deleted_at: Date;
}

interface EndedSessionsTable {
  issuer: Immutable<string>;
  session_key: Immutable<string>;
  ended_at: Date;
  kept_until: Date;
}

/** People with a role in the operator console. */
interface OperatorsTable {
  user_id: Immutable<UserId>;
  role: OperatorRole;
  added_at: Immutable<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    users: UsersTable;
    user_identities: UserIdentitiesTable;
    deleted_identities: DeletedIdentitiesTable;
    ended_sessions: EndedSessionsTable;
    operators: OperatorsTable;
  }
}
