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
 * An id token says who signed in and opens nothing, and neither does any other token that the provider signs with the
 * same keys. RFC 9068 tells them apart by the header. Keycloak and Auth0 write `JWT` there by default, so their access tokens
 * are told by the claims: Keycloak names the kind in a claim `typ`, and an id token is meant for the client.
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
