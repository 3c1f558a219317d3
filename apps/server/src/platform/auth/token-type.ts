import type { JWTPayload } from 'jose';

/** How a provider marks its access tokens in the header `typ`: as RFC 9068 has it, or like any other JWT. */
export type TokenType = 'at+jwt' | 'jwt';

interface Expected {
  readonly tokenTypes: readonly TokenType[];
  readonly clientId: string;
  readonly audience: string;
}

/** Claims that only id tokens carry (OpenID Connect Core 1.0 §2 and §3.3.2.11). */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash'];

/**
 * Only access tokens are accepted, not id tokens or others that the provider signs with the same keys. RFC 9068 marks
 * access tokens in the header. Keycloak and Auth0 write `JWT` there by default, so the claims decide: Keycloak names the
 * kind in a claim `typ`, and the audience of an id token is the client.
 */
export function isAccessToken(typ: string | undefined, claims: JWTPayload, expected: Expected): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, '');
  if (!expected.tokenTypes.some((accepted) => accepted === type)) return false;
  return type === 'at+jwt' || !isOtherToken(claims, expected);
}

function isOtherToken(claims: JWTPayload, { clientId, audience }: Expected): boolean {
  const audiences = [claims.aud].flat();
  return (
    idTokenClaims.some((name) => name in claims) ||
    (claims.typ !== undefined && claims.typ !== 'Bearer') ||
    (clientId !== audience && audiences.includes(clientId))
  );
}
