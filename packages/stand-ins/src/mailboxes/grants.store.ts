import { createHash, randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import type { ProviderName } from './providers.ts';

export interface Grant {
  readonly id: string;
  readonly provider: ProviderName;
  readonly clientId: string;
  readonly address: string;
  readonly createdAt: Date;
}

export interface Code {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly scope: string;
  readonly isOffline: boolean;
  readonly expiresAt: Date;
}

export type TokenKind = 'access' | 'refresh';

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** What the person allows; allowing the same again keeps the one grant, as both providers do. */
export async function saveGrant(db: Database, grant: Omit<Grant, 'id'>): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO mailboxes.grants (provider, client_id, address, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (provider, client_id, address) DO UPDATE SET created_at = excluded.created_at
     RETURNING id`,
    [grant.provider, grant.clientId, grant.address, grant.createdAt],
  );
  return rows[0]?.id ?? '';
}

export async function issueCode(
  db: Database,
  code: Omit<Code, 'grant'> & { grantId: string },
): Promise<string> {
  const secret = newSecret('4/0');
  await db.query(
    `INSERT INTO mailboxes.codes (hash, grant_id, redirect_uri, code_challenge, scope, is_offline, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      hashOf(secret),
      code.grantId,
      code.redirectUri,
      code.codeChallenge,
      code.scope,
      code.isOffline,
      code.expiresAt,
    ],
  );
  return secret;
}

/** Uses a code up, whether or not it turns out good. One that is used a second time takes its grant with it. */
export async function takeCode(db: Database, secret: string, now: Date): Promise<Code | undefined> {
  const { rows } = await db.query(
    `UPDATE mailboxes.codes AS code SET used_at = $2 FROM mailboxes.grants AS held
     WHERE code.hash = $1 AND code.used_at IS NULL AND held.id = code.grant_id
     RETURNING held.*, code.redirect_uri, code.code_challenge, code.scope, code.is_offline, code.expires_at`,
    [hashOf(secret), now],
  );
  const [row] = rows;
  if (!row) {
    await db.query(
      'DELETE FROM mailboxes.grants WHERE id IN (SELECT grant_id FROM mailboxes.codes WHERE hash = $1)',
      [hashOf(secret)],
    );
    return undefined;
  }
  return {
    grant: grantOf(row),
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    scope: row.scope,
    isOffline: row.is_offline,
    expiresAt: row.expires_at,
  };
}

export async function issueToken(
  db: Database,
  token: { grantId: string; kind: TokenKind; scope: string; expiresAt: Date | null },
): Promise<string> {
  const secret = newSecret(token.kind === 'access' ? 'ya29.' : '1//0');
  await db.query(
    'INSERT INTO mailboxes.tokens (hash, grant_id, kind, scope, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [hashOf(secret), token.grantId, token.kind, token.scope, token.expiresAt],
  );
  return secret;
}

/** The grant of a token; undefined once it has expired or its grant has ended. */
export async function findToken(
  db: Database,
  secret: string,
  { kinds, now }: { kinds: readonly TokenKind[]; now: Date },
): Promise<{ grant: Grant; scope: string } | undefined> {
  const { rows } = await db.query(
    `SELECT held.*, token.scope FROM mailboxes.tokens AS token
     JOIN mailboxes.grants AS held ON held.id = token.grant_id
     WHERE token.hash = $1 AND token.kind = ANY ($2) AND (token.expires_at IS NULL OR token.expires_at > $3)`,
    [hashOf(secret), kinds, now],
  );
  return rows[0] && { grant: grantOf(rows[0]), scope: rows[0].scope };
}

/** Newest first. */
export async function listGrants(db: Database, provider: ProviderName): Promise<Grant[]> {
  const { rows } = await db.query(
    'SELECT * FROM mailboxes.grants WHERE provider = $1 ORDER BY created_at DESC, address',
    [provider],
  );
  return rows.map(grantOf);
}

/** Ends a grant with every code and token that came of it. */
export async function endGrant(db: Database, id: string): Promise<void> {
  await db.query('DELETE FROM mailboxes.grants WHERE id = $1', [id]);
}

/** Codes and tokens that are no longer good for anything; correctness does not depend on it. */
export async function sweepExpired(db: Database, now: Date): Promise<void> {
  await db.query('DELETE FROM mailboxes.tokens WHERE expires_at < $1', [now]);
  await db.query("DELETE FROM mailboxes.codes WHERE expires_at < $1::timestamptz - interval '1 day'", [now]);
}

interface GrantRow {
  id: string;
  provider: ProviderName;
  client_id: string;
  address: string;
  created_at: Date;
}

const grantOf = (row: GrantRow): Grant => ({
  id: row.id,
  provider: row.provider,
  clientId: row.client_id,
  address: row.address,
  createdAt: row.created_at,
});
