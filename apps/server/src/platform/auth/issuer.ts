import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod/mini';
import { whyFetchFailed } from '../why-fetch-failed.ts';

export interface IssuerOptions {
  readonly issuer: string;
  /** Where we reach it, if not at its own address: behind the proxy that makes that one. */
  readonly reachedAt?: string | null;
  /** An unknown key is looked for at most this often, so that forged key ids cannot make us flood the issuer. */
  readonly keyCooldownMs?: number;
}

/** The identity provider as its discovery document describes it: the only place that keys are ever taken from. */
export interface Issuer {
  readonly url: string;
  keys(): Promise<JWTVerifyGetKey>;
  /** The claims that the provider gives to the bearer of this token. */
  userinfo(token: string): Promise<Record<string, unknown>>;
}

/** The provider could not be asked: nothing is known about the token, neither good nor bad. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable';
}

const timeoutMs = 5_000;
/** How long a verified token is remembered. */
export const tokenRememberedMs = 60_000;
/** A key that the provider withdraws opens nothing after ten minutes, the time for remembered tokens included. */
const keysKeptMs = 600_000 - tokenRememberedMs;

const metadataSchema = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.optional(z.url()),
});

export function connectIssuer({ issuer, reachedAt, keyCooldownMs = 30_000 }: IssuerOptions): Issuer {
  let discovery: Promise<Discovered> | undefined;
  const own = issuer.replace(/\/$/, '');
  /** Its addresses, as we reach them. */
  const reachable: Reachable = (address) =>
    reachedAt && address.startsWith(`${own}/`) ? `${reachedAt}${address.slice(own.length)}` : address;

  /** Asked once and remembered; asked again after it failed. */
  const discover = (): Promise<Discovered> => {
    discovery ??= discoverAt(issuer, reachable, keyCooldownMs).catch((error) => {
      discovery = undefined;
      throw error;
    });
    return discovery;
  };

  return {
    url: issuer,
    keys: async () => (await discover()).keys,
    userinfo: async (token) => {
      const { userinfoUrl } = await discover();
      if (!userinfoUrl) return {};
      const answer = await getJson(userinfoUrl, { authorization: `Bearer ${token}` });
      return z.parse(z.record(z.string(), z.unknown()), answer);
    },
  };
}

interface Discovered {
  readonly keys: JWTVerifyGetKey;
  readonly userinfoUrl: string | undefined;
}

type Reachable = (address: string) => string;

async function discoverAt(
  issuer: string,
  reachable: Reachable,
  cooldownDuration: number,
): Promise<Discovered> {
  const address = reachable(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const metadata = metadataSchema.safeParse(await getJson(address));
  // OpenID Connect Discovery 1.0 §4.3: a document that names another issuer must not be used.
  if (!metadata.success || metadata.data.issuer !== issuer) {
    throw new IssuerUnreachable(`${address} does not describe the configured issuer.`);
  }
  return {
    keys: remoteKeys(new URL(reachable(metadata.data.jwks_uri)), cooldownDuration),
    userinfoUrl: metadata.data.userinfo_endpoint && reachable(metadata.data.userinfo_endpoint),
  };
}

/** What is wrong with the token's choice of a key, as opposed to our getting the keys at all. */
const tokenFaults = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

function remoteKeys(address: URL, cooldownDuration: number): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(address, {
    cooldownDuration,
    cacheMaxAge: keysKeptMs,
    timeoutDuration: timeoutMs,
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (cause) {
      if (tokenFaults.some((fault) => cause instanceof fault)) throw cause;
      throw new IssuerUnreachable(`${address.origin} gave no keys.`, { cause });
    }
  };
}

async function getJson(address: string, headers: Record<string, string> = {}): Promise<unknown> {
  try {
    const answer = await fetch(address, {
      headers: { accept: 'application/json', ...headers },
      // A redirect could lead the token, or our trust, elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return await answer.json();
  } catch (cause) {
    throw new IssuerUnreachable(`${new URL(address).origin} did not answer (${whyFetchFailed(cause)}).`, {
      cause,
    });
  }
}
