import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export interface TokenClaims extends JWTPayload {
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  identities?: string[];
}

interface TokenOptions {
  readonly issuedAt?: Date;
  readonly lifeSeconds?: number;
  /** The header `typ`; absent if empty. */
  readonly typ?: string;
}

export interface TestIssuer {
  readonly url: string;
  readonly audience: string;
  /** How often the keys were fetched. */
  readonly keyRequestCount: number;
  tokenFor(claims?: TokenClaims, options?: TokenOptions): Promise<string>;
  /** Signs with a new key from now on, and publishes only that one. */
  rotateKeys(): Promise<void>;
  setUserinfo(sub: string, claims: Record<string, unknown>): void;
  /** Answers with errors until it is repaired. */
  setBroken(isBroken: boolean): void;
  close(): Promise<void>;
}

/** The part of an OpenID Connect provider that verifying tokens needs, on loopback. */
export async function startTestIssuer(): Promise<TestIssuer> {
  const audience = 'https://assay.test/api';
  const userinfo = new Map<string, Record<string, unknown>>();
  let key = await newKey();
  let keyRequestCount = 0;
  let isBroken = false;

  const answers: Record<string, (request: IncomingMessage) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      jwks_uri: `${url}/jwks`,
      userinfo_endpoint: `${url}/userinfo`,
    }),
    '/jwks': () => {
      keyRequestCount += 1;
      return { keys: [key.published] };
    },
    '/userinfo': (request) => userinfo.get(subjectOf(request)),
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const answer = isBroken ? undefined : answers[request.url ?? '']?.(request);
    response.writeHead(answer ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    audience,
    get keyRequestCount() {
      return keyRequestCount;
    },
    // Longer than we recommend, because tests move their clocks by up to an hour.
    tokenFor: (claims = {}, { issuedAt = new Date(), lifeSeconds = 3_600, typ = 'at+jwt' } = {}) => {
      const iat = Math.floor(issuedAt.getTime() / 1_000);
      return new SignJWT({
        iss: url,
        aud: audience,
        sub: randomUUID(),
        sid: randomUUID(),
        iat,
        // A sign-in at this moment; a renewed token would repeat an older one.
        auth_time: iat,
        exp: iat + lifeSeconds,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...(typ && { typ }) })
        .sign(key.privateKey);
    },
    rotateKeys: async () => {
      key = await newKey();
    },
    setUserinfo: (sub, claims) => userinfo.set(sub, claims),
    setBroken: (broken) => {
      isBroken = broken;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const kid = randomUUID();
  return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

function subjectOf({ headers }: IncomingMessage): string {
  const [, payload = ''] = (headers.authorization ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}').sub ?? '';
}
