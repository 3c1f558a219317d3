import type { AppConfig } from '@assay/contract';
import {
  ErrorResponse,
  OidcClient,
  type SigninResponse,
  type UserProfile,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { type Identity, SessionRefused } from './identity.ts';
import type { Session } from './session.ts';

/** Where a sign-in comes back to. Providers accept only addresses that were registered with them beforehand. */
const RETURN_PATH = '/redirect';

/** For a provider that does not say how long its tokens live. */
const usualLifeSeconds = 3_600;

/** When a sign-in is asked for again, none that the provider remembers is recent enough: the person proves who they are. */
const signInAgainMaxAgeSeconds = 0;

const usualScope = 'openid profile email offline_access';

interface TripState {
  readonly return_to: string;
  /** Set when this person was to sign in again. */
  readonly subject?: string;
}

interface IdentityOptions {
  readonly config: Pick<AppConfig, 'issuer' | 'client_id' | 'audience' | 'scope'>;
  readonly origin: string;
  /** Remembers a trip from its start to its end, possibly in another tab. */
  readonly storage: Storage;
  readonly nowSeconds: () => number;
}

/** The only file that knows the OpenID Connect library. */
export function createIdentity({ config, origin, storage, nowSeconds }: IdentityOptions): Identity {
  const client = new OidcClient({
    authority: config.issuer,
    client_id: config.client_id,
    redirect_uri: `${origin}${RETURN_PATH}`,
    response_type: 'code',
    scope: config.scope ?? usualScope,
    // Resource indicators (RFC 8707) ask for a token meant for our API; some providers call the same thing audience.
    resource: config.audience,
    extraTokenParams: { resource: config.audience },
    stateStore: new WebStorageStateStore({ prefix: 'assay.trip.', store: storage }),
  });

  const sessionFrom = (response: SigninResponse, before?: Session): Session => ({
    user_access_token: response.access_token,
    obtained_at: nowSeconds(),
    expires_at: nowSeconds() + (response.expires_in ?? usualLifeSeconds),
    // A provider that does not rotate sends neither again: the old ones stay good.
    refresh_token: response.refresh_token ?? before?.refresh_token,
    id_token: response.id_token ?? before?.id_token,
    // Some answer with an empty one, which is not a scope to ask for next time.
    scope: response.scope || before?.scope,
    subject: before?.subject ?? response.profile.sub,
  });

  return {
    async signInUrl(returnTo, again) {
      const state: TripState = { return_to: returnTo, ...(again && { subject: again.subject }) };
      const request = await client.createSigninRequest({
        state,
        extraQueryParams: { audience: config.audience, ...(again && { reason: again.reason }) },
        ...(again && { max_age: signInAgainMaxAgeSeconds }),
        ...(again?.loginHint !== undefined && { login_hint: again.loginHint }),
      });
      return request.url;
    },
    async completeSignIn(url) {
      const response = await client.processSigninResponse(url);
      const session = sessionFrom(response);
      return { session, returnTo: returnPathOf(response.userState, session.subject) };
    },
    async refresh(session) {
      const { refresh_token: refreshToken, id_token, scope, subject } = session;
      if (refreshToken === undefined) throw new SessionRefused('There is no refresh token');
      try {
        // biome-ignore lint/correctness/useHookAtTopLevel: a method of the library that is named like a React hook
        const response = await client.useRefreshToken({
          state: {
            refresh_token: refreshToken,
            id_token,
            scope,
            session_state: null,
            profile: { sub: subject } as UserProfile,
          },
          resource: config.audience,
          timeoutInSeconds: 20,
        });
        return sessionFrom(response, session);
      } catch (error) {
        throw isLastWord(error) ? new SessionRefused('The provider refused', { cause: error }) : error;
      }
    },
    async signOutUrl(session, landing) {
      const request = await client.createSignoutRequest({
        id_token_hint: session?.id_token,
        post_logout_redirect_uri: `${origin}${landing}`,
      });
      return request.url;
    },
  };
}

/** An OAuth error that is about us, as opposed to a provider or a network that is in trouble. */
const isLastWord = (error: unknown): boolean =>
  error instanceof ErrorResponse &&
  error.error !== 'server_error' &&
  error.error !== 'temporarily_unavailable';

function returnPathOf(state: unknown, signedInAs: string): string {
  const { return_to, subject = signedInAs } = (state ?? {}) as Partial<TripState>;
  return typeof return_to === 'string' && subject === signedInAs ? return_to : '/';
}
