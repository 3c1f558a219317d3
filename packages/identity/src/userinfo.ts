import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import { claimsOf } from './claims.ts';
import type { Installation } from './installation.ts';
import { findAccountById } from './store/accounts.store.ts';
import { signingAlgorithm } from './store/secrets.store.ts';
import type { Context, Next } from './web.ts';

/**
 * Userinfo for the API's access tokens. The library answers only tokens without an audience; most providers (Keycloak,
 * Auth0) answer these too, and a product that works with any of them may ask.
 */
export function userinfoRoute(installation: Installation) {
  const { options, secrets, database } = installation;
  const keys = createLocalJWKSet({ keys: secrets.signingKeys.map(publicPart) });

  return async (ctx: Context, next: Next): Promise<unknown> => {
    const [scheme, token] = ctx.get('authorization').split(' ');
    const isAsked = ctx.path === '/me' && ['GET', 'POST'].includes(ctx.method);
    if (!isAsked || scheme?.toLowerCase() !== 'bearer' || token?.split('.').length !== 3) return next();

    ctx.set('cache-control', 'no-store');
    allowWebApp(ctx, options.redirectUris);
    const subject = await jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: options.audience,
      algorithms: [signingAlgorithm],
    }).then(
      ({ payload }) => payload.sub,
      () => undefined,
    );
    const account = subject ? await findAccountById(database, subject) : undefined;
    if (!account) {
      ctx.status = 401;
      ctx.set('www-authenticate', `Bearer realm="${options.issuer}", error="invalid_token"`);
      ctx.body = { error: 'invalid_token', error_description: 'invalid token provided' };
      return undefined;
    }
    ctx.body = claimsOf(account, installation);
    return undefined;
  };
}

function allowWebApp(ctx: Context, redirectUris: readonly string[]): void {
  const origin = ctx.get('origin');
  ctx.set('vary', 'Origin');
  if (redirectUris.some((uri) => new URL(uri).origin === origin))
    ctx.set('access-control-allow-origin', origin);
}

function publicPart({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use } as JWK;
}
