import { createHash, timingSafeEqual } from 'node:crypto';
import type { Answer } from '@assay/pages';
import { type Code, findToken, issueToken, takeCode } from './grants.store.ts';
import { json } from './json.ts';
import type { Provider } from './providers.ts';
import type { Call } from './world.ts';

const accessLifeSeconds = 3_599;

/** The token endpoint: a code, or a refresh token, for tokens. */
export async function giveTokens(provider: Provider, call: Call): Promise<Answer> {
  if (!isClient(call))
    return refuse(provider, 401, 'invalid_client', 'The provided client secret is invalid.');
  const grantType = call.form.get('grant_type');
  if (grantType === 'authorization_code') return exchangeCode(provider, call);
  if (grantType === 'refresh_token') return refresh(provider, call);
  return refuse(provider, 400, 'unsupported_grant_type', `Invalid grant_type: ${grantType ?? ''}`);
}

async function exchangeCode(provider: Provider, call: Call): Promise<Answer> {
  const now = call.now();
  const code = await takeCode(call.db, call.form.get('code') ?? '', now);
  if (!code || code.grant.provider !== provider.name || !isGood(code, call, now)) {
    return refuse(provider, 400, 'invalid_grant', 'The code is malformed, expired or was already redeemed.');
  }
  const refreshToken = code.isOffline
    ? await issueToken(call.db, {
        grantId: code.grant.id,
        kind: 'refresh',
        scope: code.scope,
        expiresAt: null,
      })
    : undefined;
  return sendTokens(provider, call, { grantId: code.grant.id, scope: code.scope, refreshToken });
}

function isGood(code: Code, { form, client }: Call, now: Date): boolean {
  if (code.expiresAt <= now || code.grant.clientId !== client.id) return false;
  if (code.redirectUri !== form.get('redirect_uri')) return false;
  if (code.codeChallenge === null) return !form.has('code_verifier');
  const verifier = form.get('code_verifier') ?? '';
  return createHash('sha256').update(verifier).digest('base64url') === code.codeChallenge;
}

async function refresh(provider: Provider, call: Call): Promise<Answer> {
  const token = await findToken(call.db, call.form.get('refresh_token') ?? '', {
    kinds: ['refresh'],
    now: call.now(),
  });
  if (!token || token.grant.provider !== provider.name) {
    return refuse(provider, 400, 'invalid_grant', 'The token has been expired or revoked.');
  }
  const { grant, scope } = token;
  const refreshToken = provider.rotatesRefreshTokens
    ? await issueToken(call.db, { grantId: grant.id, kind: 'refresh', scope, expiresAt: null })
    : undefined;
  return sendTokens(provider, call, { grantId: grant.id, scope, refreshToken });
}

async function sendTokens(
  provider: Provider,
  call: Call,
  given: { grantId: string; scope: string; refreshToken: string | undefined },
): Promise<Answer> {
  const accessToken = await issueToken(call.db, {
    grantId: given.grantId,
    kind: 'access',
    scope: given.scope,
    expiresAt: new Date(call.now().getTime() + accessLifeSeconds * 1_000),
  });
  // Microsoft does not name offline_access among what was granted: the refresh token says it.
  const scope = given.scope
    .split(' ')
    .filter((one) => one !== 'offline_access')
    .join(' ');
  return json(200, {
    access_token: accessToken,
    expires_in: accessLifeSeconds,
    ...(provider.name === 'microsoft' && { ext_expires_in: accessLifeSeconds }),
    token_type: 'Bearer',
    scope,
    ...(given.refreshToken !== undefined && { refresh_token: given.refreshToken }),
  });
}

/** By secret in the body, or by the header that means the same. */
function isClient({ client, form, request }: Call): boolean {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeURIComponent)
    : [form.get('client_id'), form.get('client_secret')];
  return id === client.id && isSame(secret ?? '', client.secret);
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Each provider words its refusals in its own way around the protocol's two fields. */
export function refuse(provider: Provider, status: number, error: string, description: string): Answer {
  if (provider.name === 'google') return json(status, { error, error_description: description });
  const code = error === 'invalid_grant' ? 70_000 : 7_000_215;
  return json(status, { error, error_description: `AADSTS${code}: ${description}`, error_codes: [code] });
}
