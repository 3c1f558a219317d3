import { createHash } from 'node:crypto';
import { OPERATOR_ROLES, type OperatorRole } from '@assay/contract';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors/index.ts';
import { type Issuer, IssuerUnreachable } from './issuer.ts';
import { profileFromClaims, type Subject, sessionKeyOf } from './subject.ts';
import { isAccessToken, type TokenType } from './token-type.ts';

export interface BearerOptions {
  readonly issuer: Issuer;
  readonly audience: string;
  /** The web app's client id: a token meant for it is an id token. */
  readonly clientId: string;
  readonly tokenTypes: readonly TokenType[];
  readonly clock: Clock;
  /** The claims that make a person an operator. */
  readonly operatorClaims?: Readonly<Record<OperatorRole, Claim | null>>;
  /** Hears of every accepted token, to notice how the provider is set up. */
  readonly onAccepted?: (token: AcceptedToken) => void;
}

/** A claim with this value, or a list of values with this one among them. */
interface Claim {
  readonly name: string;
  readonly value: string;
}

export interface AcceptedToken {
  readonly lifeSeconds: number;
  readonly tellsSignIn: boolean;
  readonly tellsSession: boolean;
}

export interface VerifiedToken {
  readonly subject: Subject;
  readonly expiresAt: Date;
}

/** Answers whom a token belongs to and until when, or throws the refusal. */
export type VerifyBearer = (token: string) => Promise<VerifiedToken>;

/** Signatures by a private key only: with these, nothing that we know or publish can make a token. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** Machines disagree by seconds, not by minutes. */
const clockToleranceSeconds = 5;

export function createBearerVerifier(options: BearerOptions): VerifyBearer {
  const { issuer, audience, clock } = options;
  return async (token) => {
    const claims = await verifyClaims(token);
    const issuedAt = new Date((claims.iat ?? 0) * 1_000);
    const session = sessionClaims(claims, audience, token);
    options.onAccepted?.({
      lifeSeconds: claims.exp - (claims.iat ?? 0),
      tellsSignIn: session.signedInAt !== null,
      tellsSession: session.sessionId !== null,
    });
    return {
      subject: {
        issuer: issuer.url,
        sub: claims.sub,
        issuedAt,
        ...session,
        ...roleFrom(claims, options.operatorClaims),
        readProfile: () => readProfile(token, claims),
      },
      expiresAt: new Date(claims.exp * 1_000),
    };
  };

  async function verifyClaims(token: string) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await issuer.keys(), {
        issuer: issuer.url,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: clock.now(),
        requiredClaims: ['sub', 'exp'],
      });
      if (!isAccessToken(protectedHeader.typ, payload, options)) {
        throw new AppError('unauthorized', { reason: 'not_an_access_token' });
      }
      if (!isSubject(payload.sub)) throw new AppError('unauthorized', { reason: 'subject_not_storable' });
      return payload as JWTPayload & { sub: string; exp: number };
    } catch (cause) {
      throw refusalFor(cause);
    }
  }

  async function readProfile(token: string, claims: JWTPayload & { sub: string }) {
    if (typeof claims.email === 'string') return profileFromClaims(claims);

    const told = await issuer.userinfo(token).catch((cause) => {
      throw refusalFor(cause);
    });
    // OpenID Connect Core 1.0 §5.3.2: an answer about another subject must not be used.
    return profileFromClaims(told.sub === claims.sub ? { ...claims, ...told } : claims);
  }
}

/**
 * Which sign-in the token stems from. Auth0 lets its tenants add claims only under a name that begins with a URL, so the
 * audience may precede the name.
 */
function sessionClaims(claims: JWTPayload, audience: string, token: string) {
  const read = (name: string) => claims[name] ?? claims[`${audience}/${name}`];
  const momentOf = (claim: unknown) => (typeof claim === 'number' ? new Date(claim * 1_000) : null);
  const sid = read('sid');
  const sessionId = typeof sid === 'string' && sid !== '' ? sid : null;
  if (sessionId?.includes('\0')) throw new AppError('unauthorized', { reason: 'session_not_storable' });
  return {
    signedInAt: momentOf(read('auth_time')),
    sessionsValidFrom: momentOf(read('sessions_valid_from')),
    sessionId,
    sessionKey: sessionId === null ? `token ${hashOfSigned(token)}` : sessionKeyOf(sessionId),
  };
}

/** OpenID Connect Core 1.0 §2 limits a subject to 255 characters. PostgreSQL stores no NUL. */
const isSubject = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim !== '' && claim.length <= 255 && !claim.includes('\0');

/** The highest role that a claim gives. */
function roleFrom(claims: JWTPayload, operatorClaims: BearerOptions['operatorClaims']) {
  const operatorRole = OPERATOR_ROLES.findLast((role) => {
    const claim = operatorClaims?.[role];
    return claim && hasClaim(claims, claim);
  });
  return operatorRole && { operatorRole };
}

const hasClaim = (claims: JWTPayload, { name, value }: Claim): boolean => {
  const claimed = claims[name];
  return claimed === value || (Array.isArray(claimed) && claimed.includes(value));
};

/** Without the signature: an ECDSA signature can be rewritten into another valid one of the same claims. */
const hashOfSigned = (token: string): string =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url');

function refusalFor(cause: unknown): unknown {
  if (cause instanceof IssuerUnreachable)
    return new AppError('service_unavailable', { part: 'identity' }, { cause });
  if (cause instanceof errors.JWTExpired) return new AppError('token_expired', {}, { cause });
  if (cause instanceof errors.JOSEError)
    return new AppError('unauthorized', { reason: cause.code }, { cause });
  return cause;
}
