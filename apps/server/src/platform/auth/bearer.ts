import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors/index.ts';
import { type Issuer, IssuerUnreachable } from './issuer.ts';
import { profileFromClaims, type Subject } from './subject.ts';

export interface BearerOptions {
  readonly issuer: Issuer;
  readonly audience: string;
  readonly clock: Clock;
}

interface VerifiedToken {
  readonly subject: Subject;
  readonly expiresAt: Date;
}

/** Answers whom a token belongs to and until when, or throws the refusal. */
export type VerifyBearer = (token: string) => Promise<VerifiedToken>;

/** Signatures by a private key only: with these, nothing that we know or publish can make a token. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** Machines disagree by seconds, not by minutes. */
const clockToleranceSeconds = 5;

export function createBearerVerifier({ issuer, audience, clock }: BearerOptions): VerifyBearer {
  return async (token) => {
    const claims = await verifyClaims(token);
    return {
      subject: {
        issuer: issuer.url,
        sub: claims.sub,
        issuedAt: new Date((claims.iat ?? 0) * 1_000),
        readProfile: () => readProfile(token, claims),
      },
      expiresAt: new Date(claims.exp * 1_000),
    };
  };

  async function verifyClaims(token: string) {
    try {
      const { payload } = await jwtVerify(token, await issuer.keys(), {
        issuer: issuer.url,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: clock.now(),
        requiredClaims: ['sub', 'exp'],
      });
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

function refusalFor(cause: unknown): unknown {
  if (cause instanceof IssuerUnreachable)
    return new AppError('service_unavailable', { part: 'identity' }, { cause });
  if (cause instanceof errors.JWTExpired) return new AppError('token_expired', {}, { cause });
  if (cause instanceof errors.JOSEError)
    return new AppError('unauthorized', { reason: cause.code }, { cause });
  return cause;
}
