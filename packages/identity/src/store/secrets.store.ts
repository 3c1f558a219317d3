import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Database, inLockedTransaction, type Queryable } from './database.ts';

export interface Secrets {
  /** The first one signs. The others verify what was signed before, or are about to take over. */
  signingKeys: JWK[];
  cookieKey: string;
  /** Keys the form tokens, the emailed codes and the names of limited things. */
  pepper: Buffer;
  /** Encrypts the secrets of authenticator apps. */
  sealingKey: Buffer;
}

export const signingAlgorithm = 'RS256';
const dayMs = 24 * 60 * 60 * 1000;
/** A key signs for this long, then a new one takes over. */
const signingKeyLifeMs = 90 * dayMs;
/** A new key is published this long before it signs: by then every process on the database has it, and every cache. */
const publishedAheadMs = 60 * 60 * 1000;
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

/** The keys of now: a running process asks again and again, because another one may have made a new key. */
export const loadSigningKeys = (database: Database, now: Date): Promise<JWK[]> =>
  inLockedTransaction(database, (connection) => currentSigningKeys(connection, now));

async function currentSigningKeys(connection: Queryable, now: Date): Promise<JWK[]> {
  const { rows } = await connection.query<{ jwk: JWK; created_at: Date }>(
    'SELECT jwk, created_at FROM identity.signing_keys WHERE created_at > $1 ORDER BY created_at DESC',
    [new Date(now.getTime() - signingKeyPublishedMs)],
  );
  const newest = rows[0];
  if (!newest || newest.created_at.getTime() <= now.getTime() - signingKeyLifeMs)
    rows.unshift({ jwk: await insertSigningKey(connection, now), created_at: now });
  const signing =
    rows.find(({ created_at }) => created_at.getTime() <= now.getTime() - publishedAheadMs) ?? rows.at(-1);
  return [signing, ...rows.filter((row) => row !== signing)].flatMap((row) => row?.jwk ?? []);
}

async function insertSigningKey(connection: Queryable, now: Date): Promise<JWK> {
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const key = { ...jwk, kid, alg: signingAlgorithm, use: 'sig' };
  await connection.query('INSERT INTO identity.signing_keys (kid, jwk, created_at) VALUES ($1, $2, $3)', [
    kid,
    key,
    now,
  ]);
  return key;
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
