import type { Queryable } from './database.ts';

export type IdentityKind = 'email' | 'google';

export interface Account {
  id: string;
  email: string;
  /** The person has shown, by a code sent there, that the address is theirs. */
  emailProved: boolean;
  firstName: string;
  lastName: string;
  phone: string | null;
  identity: IdentityKind;
  passwordHash: string | null;
  mustChangePassword: boolean;
  /** Sessions that began before were ended by a new password. */
  sessionsValidFrom: Date | null;
  createdAt: Date;
}

export type NewAccount = Pick<
  Account,
  'email' | 'emailProved' | 'firstName' | 'lastName' | 'identity' | 'passwordHash' | 'createdAt'
>;

const columns = `id, email, email_proved AS "emailProved", first_name AS "firstName", last_name AS "lastName", phone,
  identity, password_hash AS "passwordHash", must_change_password AS "mustChangePassword",
  sessions_valid_from AS "sessionsValidFrom", created_at AS "createdAt"`;

/** Two spellings that differ only in case are one person. */
const keyOf = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** Undefined when the address is taken, perhaps since a moment ago. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `INSERT INTO identity.accounts
       (email, email_key, email_proved, first_name, last_name, identity, password_hash, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email_key) DO NOTHING RETURNING ${columns}`,
    [
      account.email,
      keyOf(account.email),
      account.emailProved,
      account.firstName,
      account.lastName,
      account.identity,
      account.passwordHash,
      account.createdAt,
    ],
  );
  return rows[0];
}

export async function findAccountById(db: Queryable, id: string): Promise<Account | undefined> {
  // Compared as text, so that an id that is no uuid is simply unknown.
  const { rows } = await db.query<Account>(`SELECT ${columns} FROM identity.accounts WHERE id::text = $1`, [
    id,
  ]);
  return rows[0];
}

export async function findAccountByEmail(db: Queryable, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(`SELECT ${columns} FROM identity.accounts WHERE email_key = $1`, [
    keyOf(email),
  ]);
  return rows[0];
}

export async function markEmailProved(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE identity.accounts SET email_proved = true WHERE id = $1', [id]);
}

export async function setPassword(
  db: Queryable,
  id: string,
  { passwordHash, mustChange }: { passwordHash: string; mustChange: boolean },
): Promise<void> {
  await db.query('UPDATE identity.accounts SET password_hash = $2, must_change_password = $3 WHERE id = $1', [
    id,
    passwordHash,
    mustChange,
  ]);
}

export async function setSessionsValidFrom(db: Queryable, id: string, moment: Date): Promise<void> {
  await db.query('UPDATE identity.accounts SET sessions_valid_from = $2 WHERE id = $1', [id, moment]);
}

export type AccountChanges = Partial<
  Pick<Account, 'firstName' | 'lastName' | 'phone' | 'mustChangePassword'>
>;

export async function updateAccount(db: Queryable, id: string, changes: AccountChanges): Promise<void> {
  await db.query(
    `UPDATE identity.accounts SET
       first_name = coalesce($2, first_name), last_name = coalesce($3, last_name),
       phone = CASE WHEN $4 THEN $5 ELSE phone END,
       must_change_password = coalesce($6, must_change_password)
     WHERE id = $1`,
    [
      id,
      changes.firstName ?? null,
      changes.lastName ?? null,
      changes.phone !== undefined,
      changes.phone ?? null,
      changes.mustChangePassword ?? null,
    ],
  );
}

export async function deleteAccount(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM identity.accounts WHERE id = $1', [id]);
}
