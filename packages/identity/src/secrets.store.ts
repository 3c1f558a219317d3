import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Database, inLockedTransaction, type Queryable } from './database.ts';

export interface Secrets {
  /** Newest first: the first one signs, the others still verify what was signed before. */
  signingKeys: JWK[];
  cookieKey: string;
  /** Keys the form tokens, the emailed codes and the names of limited things. */
  pepper: Buffer;
  /** Encrypts the secrets of authenticator apps. */
  sealingKey: Buffer;
}

export const signingAlgorithm = 'RS256';
const dayMs = 24 * 60 * 60 * 1000;
/** A key signs for this long; at the first start after that a new one takes over. */
const signingKeyLifeMs = 90 * dayMs;
/** A key stays published long after the last token that it signed has ended. */
const signingKeyPublishedMs = signingKeyLifeMs + 30 * dayMs;

/** Reads the keys that this installation lives by; the very first start makes them. */
export async function loadSecrets(database: Database, now: Date): Promise<Secrets> {
  return inLockedTransaction(database, async (connection) => ({
    signingKeys: await currentSigningKeys(connection, now),
    cookieKey: (await secretNamed(connection, 'cookie')).toString('base64url'),
    pepper: await secretNamed(connection, 'pepper'),
    sealingKey: await secretNamed(connection, 'sealing'),
  }));
}

async function currentSigningKeys(connection: Queryable, now: Date): Promise<JWK[]> {
  const { rows } = await connection.query<{ jwk: JWK; created_at: Date }>(
    'SELECT jwk, created_at FROM identity.signing_keys WHERE created_at > $1 ORDER BY created_at DESC',
    [new Date(now.getTime() - signingKeyPublishedMs)],
  );
  const keys = rows.map((row) => row.jwk);
  const newest = rows[0];
  if (newest && newest.created_at.getTime() > now.getTime() - signingKeyLifeMs) return keys;

  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const key = { ...jwk, kid, alg: signingAlgorithm, use: 'sig' };
  await connection.query('INSERT INTO identity.signing_keys (kid, jwk, created_at) VALUES ($1, $2, $3)', [
    kid,
    key,
    now,
  ]);
  return [key, ...keys];
}

async function secretNamed(connection: Queryable, name: string): Promise<Buffer> {
  await connection.query(
    'INSERT INTO identity.secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [name, randomBytes(32)],
  );
  const { rows } = await connection.query<{ value: Buffer }>(
    'SELECT value FROM identity.secrets WHERE name = $1',
    [name],
  );
  if (!rows[0]) throw new Error(`The identity secret ${name} is missing.`);
  return rows[0].value;
}
