import type { OperatorRole } from '@assay/contract';

/** What the identity provider says about a person. */
export interface Profile {
  /** Null when the provider tells neither in the token nor in its userinfo answer. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  /** How the person signs in: `email`, or the name of a social provider. */
  readonly identities: readonly string[];
}

/** The person to whom a verified token was issued. */
export interface Subject {
  readonly issuer: string;
  readonly sub: string;
  /** A later token may carry a newer profile. The beginning of time when the provider does not say. */
  readonly issuedAt: Date;
  /** When the person last proved who they are (`auth_time`); a renewed token repeats it. Null when the provider does not say. */
  readonly signedInAt: Date | null;
  /** The provider's id of the session (`sid`); null when its tokens do not name one. */
  readonly sessionId: string | null;
  /** Since when the provider itself counts sessions (`sessions_valid_from`), because the password was changed there. */
  readonly sessionsValidFrom: Date | null;
  /** The role of an operator that a claim of the token gives; absent if none does. */
  readonly operatorRole?: OperatorRole;
  /** What an ended session is remembered by: the session, or else this one token. */
  readonly sessionKey: string;
  /** From the token if it says enough, else asked of the provider: call it only for a person not yet known. */
  readProfile(): Promise<Profile>;
}

/** Of a session whose id is known. */
export const sessionKeyOf = (sessionId: string): string => `sid ${sessionId}`;

type Claims = Readonly<Record<string, unknown>>;

/** Reads the standard claims, and `identities` as the embedded provider or a claim mapper gives them. */
export function profileFromClaims(claims: Claims): Profile {
  const fullName = textOf(claims.name);
  const [firstOfFull = '', ...restOfFull] = fullName.split(' ').filter(Boolean);
  return {
    email: textOf(claims.email) || null,
    // Some providers write the flag as text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    firstName: textOf(claims.given_name) || firstOfFull,
    lastName: textOf(claims.family_name) || restOfFull.join(' '),
    phone: textOf(claims.phone_number) || null,
    identities: identitiesOf(claims),
  };
}

function identitiesOf(claims: Claims): string[] {
  const given = Array.isArray(claims.identities) ? claims.identities : [claims.identity_provider];
  const names = given.map(textOf).filter(Boolean);
  return names.length > 0 ? names : ['email'];
}

/** PostgreSQL stores no NUL. A person must not be locked out because of one in their name. */
const textOf = (claim: unknown): string =>
  typeof claim === 'string' && !claim.includes('\0') ? claim.trim() : '';
