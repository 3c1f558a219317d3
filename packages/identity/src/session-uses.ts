import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Installation } from './installation.ts';
import { networkOf } from './network-of.ts';
import type { Queryable } from './store/database.ts';
import { callerOf, type Next } from './web.ts';

/** At these a browser shows up with its session: it signs in, or trades a code or a refresh token for tokens. */
const routes = new Set(['authorization', 'resume', 'token']);

/** Remembers which program used a session last, from which network and when, so that its owner recognises it in a list. */
export function recordSessionUses({ database, now, onError }: Installation) {
  return async (ctx: KoaContextWithOIDC, next: Next): Promise<void> => {
    await next();
    const { oidc } = ctx;
    if (!oidc || !routes.has(oidc.route) || ctx.status >= 400) return;
    const sessionUid = oidc.entities.AccessToken?.sessionUid ?? oidc.session?.uid;
    if (sessionUid === undefined) return;
    const { agent } = callerOf(ctx);
    // The answer is complete by now. As a failure it would be tried again, with a refresh token that has been used.
    await database
      .query(
        `UPDATE identity.records SET used_by = $2, used_from = $3, used_at = $4
         WHERE model = 'Session' AND uid = $1 AND account_id IS NOT NULL`,
        [sessionUid, agent ?? '', networkOf(ctx.ip), now()],
      )
      .catch(onError);
  };
}

export interface SessionUse {
  id: string;
  signedInAt: Date;
  usedBy: string;
  usedFrom: string;
  usedAt: Date;
}

/** The account's sessions, the last used first. */
export async function findSessionsOf(
  database: Queryable,
  accountId: string,
  now: Date,
): Promise<SessionUse[]> {
  const { rows } = await database.query<SessionUse>(
    `SELECT uid AS id, signed_in_at AS "signedInAt", coalesce(used_by, '') AS "usedBy", coalesce(used_from, '') AS "usedFrom",
       coalesce(used_at, signed_in_at) AS "usedAt"
     FROM identity.records, to_timestamp((payload->>'loginTs')::float8) AS signed_in_at
     WHERE model = 'Session' AND account_id = $1 AND expires_at > $2 ORDER BY "usedAt" DESC`,
    [accountId, now],
  );
  return rows;
}
