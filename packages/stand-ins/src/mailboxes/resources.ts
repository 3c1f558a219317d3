import type { Answer } from '@assay/pages';
import { endGrant, findToken } from './grants.store.ts';
import { json } from './json.ts';
import type { Provider } from './providers.ts';
import { refuse } from './token.ts';
import type { Call } from './world.ts';

/** Whose mailbox an access token opens, in the words of Gmail's and of Microsoft Graph's own profile calls. */
export async function giveProfile(provider: Provider, call: Call): Promise<Answer> {
  const secret = /^Bearer (.+)$/i.exec(call.request.headers.authorization ?? '')?.[1] ?? '';
  const token = await findToken(call.db, secret, { kinds: ['access'], now: call.now() });
  if (!token || token.grant.provider !== provider.name) {
    return json(401, { error: { code: 401, message: 'Request had invalid authentication credentials.' } });
  }
  const { address, id } = token.grant;
  if (provider.name === 'google') {
    return json(200, { emailAddress: address, messagesTotal: 0, threadsTotal: 0, historyId: '1' });
  }
  return json(200, { id, displayName: address, mail: address, userPrincipalName: address });
}

/** Google's revocation: any token of a grant ends the whole grant. */
export async function revokeToken(provider: Provider, call: Call): Promise<Answer> {
  const secret = call.form.get('token') ?? call.query.get('token') ?? '';
  const token = await findToken(call.db, secret, { kinds: ['access', 'refresh'], now: call.now() });
  if (!token || token.grant.provider !== provider.name) {
    return refuse(provider, 400, 'invalid_token', 'Token expired or revoked');
  }
  await endGrant(call.db, token.grant.id);
  return json(200, {});
}
