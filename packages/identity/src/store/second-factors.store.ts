import type { Queryable } from './database.ts';

export interface Passkey {
  /** The credential id, base64url. */
  id: string;
  accountId: string;
  name: string;
  publicKey: Buffer;
  /** How often it signed; 0 for ever with passkeys that are copied between devices. */
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface SecondFactors {
  authenticatorSince: Date | null;
  passkeys: Passkey[];
  recoveryCodeCount: number;
}

const passkeyColumns = `id, account_id AS "accountId", name, public_key AS "publicKey", counter::float8 AS counter, transports,
  created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

export async function findSecondFactors(db: Queryable, accountId: string): Promise<SecondFactors> {
  const { rows } = await db.query<Omit<SecondFactors, 'passkeys'>>(
    `SELECT (SELECT created_at FROM identity.authenticators WHERE account_id = $1) AS "authenticatorSince",
       (SELECT count(*)::int FROM identity.recovery_codes WHERE account_id = $1) AS "recoveryCodeCount"`,
    [accountId],
  );
  const passkeys = await db.query<Passkey>(
    `SELECT ${passkeyColumns} FROM identity.passkeys WHERE account_id = $1 ORDER BY created_at, id`,
    [accountId],
  );
  return { authenticatorSince: null, recoveryCodeCount: 0, ...rows[0], passkeys: passkeys.rows };
}

/** False when the account has an authenticator app already. */
export async function insertAuthenticator(
  db: Queryable,
  authenticator: { accountId: string; sealedSecret: Buffer; lastStep: number; createdAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO identity.authenticators (account_id, sealed_secret, last_step, created_at)
     VALUES ($1, $2, $3, $4) ON CONFLICT (account_id) DO NOTHING`,
    [authenticator.accountId, authenticator.sealedSecret, authenticator.lastStep, authenticator.createdAt],
  );
  return rowCount === 1;
}

export async function findSealedSecret(db: Queryable, accountId: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ sealed_secret: Buffer }>(
    'SELECT sealed_secret FROM identity.authenticators WHERE account_id = $1',
    [accountId],
  );
  return rows[0]?.sealed_secret;
}

/** Of several uses of one code exactly one gets past this, and a code before the last one used never does. */
export async function takeTotpStep(db: Queryable, accountId: string, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE identity.authenticators SET last_step = $2 WHERE account_id = $1 AND last_step < $2',
    [accountId, step],
  );
  return rowCount === 1;
}

export async function deleteAuthenticator(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM identity.authenticators WHERE account_id = $1', [
    accountId,
  ]);
  return rowCount === 1;
}

/** False when this passkey is known already. */
export async function insertPasskey(db: Queryable, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO identity.passkeys (id, account_id, name, public_key, counter, transports, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    [
      passkey.id,
      passkey.accountId,
      passkey.name,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.createdAt,
    ],
  );
  return rowCount === 1;
}

export async function findPasskey(db: Queryable, id: string): Promise<Passkey | undefined> {
  const { rows } = await db.query<Passkey>(`SELECT ${passkeyColumns} FROM identity.passkeys WHERE id = $1`, [
    id,
  ]);
  return rows[0];
}

/** False when the passkey is gone, or when another use with the same or a later counter came first. */
export async function recordPasskeyUse(
  db: Queryable,
  id: string,
  { counter, now }: { counter: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE identity.passkeys SET counter = $2, last_used_at = $3
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
    [id, counter, now],
  );
  return rowCount === 1;
}

/** The name of the one that was removed; undefined when the account has no such passkey. */
export async function deletePasskey(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    'DELETE FROM identity.passkeys WHERE account_id = $1 AND id = $2 RETURNING name',
    [accountId, id],
  );
  return rows[0]?.name;
}

export async function replaceRecoveryCodes(
  db: Queryable,
  accountId: string,
  codeHashes: readonly string[],
): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM identity.recovery_codes WHERE account_id = $1)
     INSERT INTO identity.recovery_codes (account_id, code_hash) SELECT $1, unnest($2::text[])`,
    [accountId, codeHashes],
  );
}

/** Of several uses of one code exactly one gets past this. */
export async function takeRecoveryCode(db: Queryable, accountId: string, codeHash: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'DELETE FROM identity.recovery_codes WHERE account_id = $1 AND code_hash = $2',
    [accountId, codeHash],
  );
  return rowCount === 1;
}

export async function deleteRecoveryCodes(db: Queryable, accountId: string): Promise<void> {
  await db.query('DELETE FROM identity.recovery_codes WHERE account_id = $1', [accountId]);
}
