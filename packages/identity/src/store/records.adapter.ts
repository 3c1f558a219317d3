import { createHash } from 'node:crypto';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { Queryable } from './database.ts';

/**
 * Keeps what oidc-provider has to remember in PostgreSQL. The id of a record is the secret itself (the refresh
 * token, the session cookie), so only its hash is stored and the payload is kept without it.
 */
export function recordsAdapter(database: Queryable): AdapterFactory {
  return (model) => new RecordsAdapter(database, model);
}

/** PostgreSQL's code for JSON with a NUL, which a client can put into any parameter that is kept. */
const unstorableText = '22P05';

class RecordsAdapter implements Adapter {
  readonly #database: Queryable;
  readonly #model: string;

  constructor(database: Queryable, model: string) {
    this.#database = database;
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { jti: _secret, ...kept } = payload;
    const expiresAt = expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000);
    const stored = this.#database.query(
      `INSERT INTO identity.records (model, id_hash, payload, uid, grant_id, account_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (model, id_hash) DO UPDATE SET
         payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id,
         account_id = excluded.account_id, expires_at = excluded.expires_at`,
      [
        this.#model,
        hashOf(id),
        kept,
        payload.uid ?? null,
        payload.grantId ?? null,
        payload.accountId ?? null,
        expiresAt,
      ],
    );
    await stored.catch((error: { code?: string }) => {
      if (error.code !== unstorableText) throw error;
      throw new errors.InvalidRequest('a parameter holds a character that cannot be stored');
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await this.#findWhere('id_hash = $2', hashOf(id));
    return payload && { ...payload, jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere('uid = $2', uid);
  }

  async findByUserCode(): Promise<undefined> {
    // Only the device flow asks, and this provider has none.
    return undefined;
  }

  /** Exactly one of several concurrent users of a code or a refresh token gets past this. */
  async consume(id: string): Promise<void> {
    const { rowCount } = await this.#database.query(
      'UPDATE identity.records SET consumed_at = now() WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL',
      [this.#model, hashOf(id)],
    );
    if (rowCount === 0) throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    await this.#database.query('DELETE FROM identity.records WHERE model = $1 AND id_hash = $2', [
      this.#model,
      hashOf(id),
    ]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#database.query('DELETE FROM identity.records WHERE model = $1 AND grant_id = $2', [
      this.#model,
      grantId,
    ]);
  }

  async #findWhere(condition: string, value: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.#database.query<{ payload: AdapterPayload; consumed_at: Date | null }>(
      `SELECT payload, consumed_at FROM identity.records
       WHERE model = $1 AND ${condition} AND (expires_at IS NULL OR expires_at > $3)`,
      [this.#model, value, new Date()],
    );
    const row = rows[0];
    if (!row) return undefined;
    return row.consumed_at
      ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) }
      : row.payload;
  }
}

/**
 * Ends every session and token of an account, for instance because its password changed; `keepSessionUid` is
 * the session in which that happened.
 */
export async function endSessionsOf(
  database: Queryable,
  accountId: string,
  keepSessionUid?: string,
): Promise<void> {
  await database.query(
    'DELETE FROM identity.records WHERE account_id = $1 AND (uid IS NULL OR uid IS DISTINCT FROM $2)',
    [accountId, keepSessionUid ?? null],
  );
}

/** Ends a grant and every token that came from it. */
export async function endGrant(database: Queryable, grantId: string): Promise<void> {
  await database.query(
    "DELETE FROM identity.records WHERE grant_id = $1 OR (model = 'Grant' AND id_hash = $2)",
    [grantId, hashOf(grantId)],
  );
}

/** Ends one session with the grants and tokens that came from it; false when there is none. */
export async function endSession(database: Queryable, sessionUid: string): Promise<boolean> {
  const { rows } = await database.query<{ grants: (string | null)[] }>(
    `DELETE FROM identity.records WHERE model = 'Session' AND uid = $1
     RETURNING ARRAY(
       SELECT held->>'grantId' FROM jsonb_each(coalesce(payload->'authorizations', '{}')) AS each(client, held)
     ) AS grants`,
    [sessionUid],
  );
  for (const grantId of rows.flatMap(({ grants }) => grants)) {
    if (grantId) await endGrant(database, grantId);
  }
  return rows.length > 0;
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
