import type { Answer } from '@assay/pages';
import { redirect } from '@assay/pages';
import { issueCode, saveGrant } from './grants.store.ts';
import { chooserPage, consentPage, refusedPage } from './pages/screens.ts';
import { asksForOfflineAccess, type Provider, scopesIn } from './providers.ts';
import type { Call } from './world.ts';

const codeLifeMs = 10 * 60_000;

/** A visit to the authorization endpoint: whose account, then whether they allow it. */
export async function showAuthorization(provider: Provider, call: Call): Promise<Answer> {
  const refusal = refuseRequest(provider, call);
  if (refusal) return refusal;

  const address = chosenAddress(call);
  if (address === null) return chooserPage(provider, call, { typed: '', isWrong: false });
  if (!isAddress(address)) return chooserPage(provider, call, { typed: address, isWrong: true });
  return consentPage(provider, call, { address, permissions: permissionsOf(provider, call) });
}

/** What the person answered on the consent page. */
export async function decideAuthorization(provider: Provider, call: Call): Promise<Answer> {
  const refusal = refuseRequest(provider, call);
  if (refusal) return refusal;
  const address = chosenAddress(call);
  if (address === null || !isAddress(address)) return showAuthorization(provider, call);

  if (call.form.get('decision') !== 'allow') {
    return sendBack(call, {
      error: 'access_denied',
      // Google says no more than that.
      ...(provider.name === 'microsoft' && {
        error_description: 'AADSTS65004: User declined to consent to access the app.',
      }),
    });
  }
  const now = call.now();
  const grantId = await saveGrant(call.db, {
    provider: provider.name,
    clientId: call.client.id,
    address,
    createdAt: now,
  });
  const code = await issueCode(call.db, {
    grantId,
    redirectUri: call.query.get('redirect_uri') ?? '',
    codeChallenge: call.query.get('code_challenge'),
    scope: scopesIn(call.query.get('scope')).join(' '),
    isOffline: asksForOfflineAccess(provider, call.query),
    expiresAt: new Date(now.getTime() + codeLifeMs),
  });
  return sendBack(call, { code, scope: call.query.get('scope') ?? '' });
}

/** A request that is wrong goes back to its sender, unless it is not even certain who that is. */
function refuseRequest(provider: Provider, call: Call): Answer | undefined {
  const { query, client } = call;
  if (query.get('client_id') !== client.id) {
    return refusedPage(provider, 'invalid_client', 'The OAuth client was not found.');
  }
  if (!client.redirectUris.includes(query.get('redirect_uri') ?? '')) {
    return refusedPage(
      provider,
      'redirect_uri_mismatch',
      'The redirect URI in the request is not registered for this client.',
    );
  }
  if (query.get('response_type') !== 'code') return sendBack(call, { error: 'unsupported_response_type' });
  const scopes = scopesIn(query.get('scope'));
  if (scopes.length === 0 || scopes.some((scope) => !(scope in provider.scopes))) {
    return sendBack(call, { error: 'invalid_scope' });
  }
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256') {
    return sendBack(call, { error: 'invalid_request', error_description: 'code_challenge_method' });
  }
  return undefined;
}

function sendBack({ query }: Call, answer: Record<string, string>): Answer {
  const target = new URL(query.get('redirect_uri') ?? '');
  const state = query.get('state');
  for (const [name, value] of Object.entries({ ...(state !== null && { state }), ...answer })) {
    target.searchParams.set(name, value);
  }
  return redirect(target.href);
}

const chosenAddress = ({ query }: Call): string | null =>
  (query.get('account') ?? query.get('login_hint'))?.trim().toLowerCase() ?? null;

const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);

const permissionsOf = ({ scopes }: Provider, { query }: Call): string[] =>
  scopesIn(query.get('scope')).map((scope) => scopes[scope] ?? scope);
