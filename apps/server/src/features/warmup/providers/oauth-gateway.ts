import type { MailboxProvider } from '@assay/contract';
import * as oauth from 'oauth4webapi';
import { AppError } from '../../../platform/errors/index.ts';
import { type GivenTokens, type MailboxGateway, MailboxRefused } from './mailbox-gateway.ts';

export interface OAuthGatewayOptions {
  readonly provider: MailboxProvider;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly revocationUrl: string | null;
  readonly profileUrl: string;
  readonly consentUrl: string | null;
  /** Permissions that a mailbox needs. */
  readonly mailScopes: readonly string[];
  /** Further requested scopes, such as the profile or offline access. */
  readonly otherScopes: readonly string[];
  /** Additional parameters of the authorization request. */
  readonly authorizationParameters: Readonly<Record<string, string>>;
  /** Reads the mailbox's address from the answer of `profileUrl`. */
  readAddress(profile: Readonly<Record<string, unknown>>): unknown;
}

const answerPatienceMs = 10_000;
/** Used if a provider sends no lifetime; the usual value of both. */
const usualLifeSeconds = 3_600;

/** OAuth 2 with PKCE at one provider. */
export function createOAuthGateway(options: OAuthGatewayOptions): MailboxGateway {
  const { provider, redirectUri } = options;
  const server: oauth.AuthorizationServer = {
    issuer: new URL(options.authorizationUrl).origin,
    authorization_endpoint: options.authorizationUrl,
    token_endpoint: options.tokenUrl,
    ...(options.revocationUrl && { revocation_endpoint: options.revocationUrl }),
  };
  const client: oauth.Client = { client_id: options.clientId };
  const clientAuth = oauth.ClientSecretPost(options.clientSecret);
  // The configuration allows plain http on loopback only.
  const request = () => ({
    [oauth.allowInsecureRequests]: options.tokenUrl.startsWith('http:'),
    signal: AbortSignal.timeout(answerPatienceMs),
  });
  const call = <Result>(work: () => Promise<Result>): Promise<Result> => work().catch(explainTo(provider));
  const given = (answer: oauth.TokenEndpointResponse): GivenTokens => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresInSeconds: answer.expires_in ?? usualLifeSeconds,
    // RFC 6749 §5.1: absent if it equals the requested scope.
    isComplete: answer.scope === undefined || covers(answer.scope, options.mailScopes),
  });

  return {
    provider,
    consentUrl: options.consentUrl,
    newCodeVerifier: oauth.generateRandomCodeVerifier,

    async authorizationUrl({ state, codeVerifier }) {
      const url = new URL(options.authorizationUrl);
      const parameters = {
        client_id: options.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: [...options.otherScopes, ...options.mailScopes].join(' '),
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...options.authorizationParameters,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    exchangeCode: ({ code, state, codeVerifier }) =>
      call(async () => {
        const back = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state }), state);
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuth,
          back,
          redirectUri,
          codeVerifier,
          request(),
        );
        return given(await oauth.processAuthorizationCodeResponse(server, client, answer));
      }),

    refresh: (refreshToken) =>
      call(async () => {
        const answer = await oauth.refreshTokenGrantRequest(
          server,
          client,
          clientAuth,
          refreshToken,
          request(),
        );
        return given(await oauth.processRefreshTokenResponse(server, client, answer));
      }),

    findAddress: (accessToken) =>
      call(async () => {
        const answer = await oauth.protectedResourceRequest(
          accessToken,
          'GET',
          new URL(options.profileUrl),
          undefined,
          null,
          request(),
        );
        if (!answer.ok) throw new Error(`The profile call answered ${answer.status}.`);
        const address = options.readAddress((await answer.json()) as Record<string, unknown>);
        if (typeof address !== 'string' || !address.includes('@')) {
          throw new Error('The profile has no address.');
        }
        return address.trim().toLowerCase();
      }),

    revoke:
      options.revocationUrl === null
        ? null
        : (token) =>
            call(async () => {
              // The token is enough; Google needs no client secret here.
              const answer = await oauth.revocationRequest(server, client, oauth.None(), token, request());
              await oauth.processRevocationResponse(answer).catch((error: unknown) => {
                if (!(error instanceof oauth.ResponseBodyError && error.error === 'invalid_token'))
                  throw error;
              });
            }),
  };
}

/** Only the person can help. The last two are Microsoft's: a second factor, or a consent that an administrator withdrew. */
const endedErrors: ReadonlySet<string> = new Set([
  'invalid_grant',
  'interaction_required',
  'consent_required',
]);

/** Logs only the code of a provider's refusal. The rest of its answer may contain personal data or tokens. */
function explainTo(provider: MailboxProvider) {
  return (error: unknown): never => {
    if (error instanceof oauth.ResponseBodyError) {
      if (endedErrors.has(error.error)) throw new MailboxRefused(`The provider answered ${error.error}.`);
      throw new AppError('mailbox_provider_unavailable', {
        provider,
        status: error.status,
        problem: error.error,
      });
    }
    const problem = error instanceof Error ? error.name : typeof error;
    const { code } = error as { code?: unknown };
    throw new AppError('mailbox_provider_unavailable', {
      provider,
      problem,
      ...(typeof code === 'string' && { code }),
    });
  };
}

/** Microsoft may write a scope with a URL prefix and in another case. */
function covers(granted: string, wanted: readonly string[]): boolean {
  const bare = (scope: string) => scope.toLowerCase().split('/').at(-1);
  const names = new Set(granted.split(' ').map(bare));
  return wanted.every((scope) => names.has(bare(scope)));
}
