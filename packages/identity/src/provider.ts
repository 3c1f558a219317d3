import Provider, {
  type AccountClaims,
  type Client,
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { claimsByScope, claimsOf } from './claims.ts';
import type { Installation } from './installation.ts';
import { accessTokenSeconds, mountPathOf, recentSignInSeconds, sessionSeconds } from './options.ts';
import { confirmSignOut, signedOut } from './sign-out.ts';
import { type Account, findAccountById } from './store/accounts.store.ts';
import { recordsAdapter } from './store/records.adapter.ts';
import { signingAlgorithm } from './store/secrets.store.ts';
import { renderProviderError } from './web.ts';

const interactionSeconds = 60 * 60;
const adminTokenSeconds = 60;
export const accountClientId = 'assay-account';
const personScopes = Object.keys(claimsByScope).join(' ');

export function createProvider(installation: Installation): Provider {
  const { options, database, secrets } = installation;
  const mountPath = mountPathOf(options.issuer);
  const provider = new Provider(options.issuer, {
    adapter: recordsAdapter(database),
    clients: clientsOf(installation),
    jwks: { keys: secrets.signingKeys } as Configuration['jwks'],
    cookies: {
      keys: [secrets.cookieKey],
      names: cookieNamesOf(options.issuer),
      // Other programs of the same origin do not receive the session.
      long: { path: mountPath || '/' },
    },
    claims: claimsByScope,
    scopes: ['openid', 'offline_access', 'profile', 'email', 'phone'],
    // The web app reads the person's name and address from the id token without a second call.
    conformIdTokenClaims: false,
    responseTypes: ['code', 'none'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: options.admin !== undefined },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => confirmSignOut(installation, ctx, form),
        postLogoutSuccessSource: (ctx) => signedOut(installation, ctx),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, client) => (client.clientId === options.clientId ? options.audience : []),
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== options.audience) throw new errors.InvalidTarget();
          return apiResource(options.audience);
        },
      },
    },
    extraTokenClaims: async (ctx, token) => {
      if (token.kind !== 'AccessToken') return undefined;
      const account = await findAccountById(database, token.accountId);
      return account && { ...claimsOf(account, installation), ...sessionClaimsOf(ctx, token, account) };
    },
    findAccount: async (_ctx, id) => {
      const account = await findAccountById(database, id);
      return (
        account && {
          accountId: account.id,
          mustChangePassword: account.mustChangePassword,
          claims: async () => claimsOf(account, installation) as unknown as AccountClaims,
        }
      );
    },
    // Why the client asks a known person again. It only changes words of the page.
    extraParams: ['reason'],
    interactions: {
      policy: policyOf(),
      url: (_ctx, interaction) => `${mountPath}/interaction/${interaction.uid}`,
    },
    loadExistingGrant: (ctx) => grantOf(ctx, options.audience),
    // offline_access is dropped without prompt=consent, which a first-party client has no use for; so the client's
    // registration decides. Such a token ends with the session, hence at sign-out.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin, client) => originsOf(client).has(origin),
    renderError: (ctx, out, error) => renderProviderError(installation, ctx, out, error),
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      ClientCredentials: adminTokenSeconds,
      Grant: sessionSeconds,
      IdToken: accessTokenSeconds,
      Interaction: interactionSeconds,
      RefreshToken: sessionSeconds,
      Session: sessionSeconds,
    },
  });

  // We speak plain HTTP, so an https issuer has a proxy in front: its X-Forwarded-For names the browser. Only the
  // entry that this nearest proxy wrote counts; anything left of it the browser could have invented.
  provider.proxy = new URL(options.issuer).protocol === 'https:';
  provider.maxIpsCount = 1;
  provider.on('server_error', (_ctx, error) => installation.onError(error));
  return provider;
}

/**
 * From which sign-in a token comes: renewed tokens repeat when the person proved who they are. A token without a session is
 * the operator's, made by a command that moment.
 */
function sessionClaimsOf(
  ctx: KoaContextWithOIDC | undefined,
  token: { sessionUid?: string | undefined },
  { sessionsValidFrom }: Account,
) {
  const entities = ctx?.oidc.entities;
  const source = entities?.RefreshToken ?? entities?.AuthorizationCode;
  return {
    auth_time: source?.authTime ?? Math.floor(Date.now() / 1000),
    ...(token.sessionUid ? { sid: token.sessionUid } : {}),
    // The product learns by it that a new password, chosen on a page of ours, ended the sessions before.
    ...(sessionsValidFrom ? { sessions_valid_from: Math.floor(sessionsValidFrom.getTime() / 1000) } : {}),
  };
}

/** Browsers ignore ports in cookies, and several installations may run on one localhost. */
function cookieNamesOf(issuer: string) {
  const prefix = `assay_identity_${new URL(issuer).port || 'default'}`;
  return { session: `${prefix}_session`, interaction: `${prefix}_interaction`, resume: `${prefix}_resume` };
}

export function apiResource(audience: string) {
  return {
    audience,
    scope: personScopes,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: signingAlgorithm as 'RS256' } },
  };
}

function clientsOf({ options }: Installation): ClientMetadata[] {
  const webApp: ClientMetadata = {
    client_id: options.clientId,
    client_name: 'Assay',
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: options.redirectUris,
    post_logout_redirect_uris: options.postLogoutRedirectUris,
  };
  // Our own pages about an account send a person to sign in and need nothing back.
  const account: ClientMetadata = {
    client_id: accountClientId,
    client_name: 'Assay account',
    token_endpoint_auth_method: 'none',
    grant_types: [],
    response_types: ['none'],
    redirect_uris: [`${options.issuer}/account`],
  };
  if (!options.admin) return [webApp, account];

  const admin: ClientMetadata = {
    client_id: options.admin.clientId,
    client_secret: options.admin.clientSecret,
    grant_types: ['client_credentials', 'password'],
    response_types: [],
    redirect_uris: [],
  };
  return [webApp, account, admin];
}

/** Sign-in only: the one client is our own, so there is nothing to consent to. */
function policyOf() {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'must_change_password',
        'a new password is required',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account?.mustChangePassword === true,
      ),
      0,
    );
  // With this second reason the sign-in page comes first: else a stranger at an unlocked browser could choose a new password.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'sign_in_before_change',
        'a new password needs a recent sign-in',
        'login_required',
        ({ oidc }) =>
          oidc.account?.mustChangePassword === true &&
          oidc.result?.login === undefined &&
          oidc.session?.past(recentSignInSeconds) === true,
      ),
      0,
    );
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the account no longer exists',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
      0,
    );
  return policy;
}

/** Our own client is granted everything it may ask for; each sign-in prolongs the grant with the session. */
async function grantOf({ oidc }: KoaContextWithOIDC, audience: string) {
  const { client, session, account, provider } = oidc;
  if (!client || !session || !account) return undefined;

  const existingId = session.grantIdFor(client.clientId);
  const existing = existingId ? await provider.Grant.find(existingId) : undefined;
  if (existing && existing.accountId === account.accountId) {
    existing.exp = Math.floor(Date.now() / 1000) + sessionSeconds;
    await existing.save();
    return existing;
  }
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(personScopes);
  grant.addResourceScope(audience, personScopes);
  await grant.save();
  return grant;
}

function originsOf(client: Client): Set<string> {
  return new Set((client.redirectUris ?? []).map((uri) => new URL(uri).origin));
}
