import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { appConfigSchema } from '@assay/contract';
import type { StorageState } from './tabs.ts';
import type { Person } from './visitor.ts';

type Cookie = StorageState['cookies'][number];

/**
 * Signs a person up through the identity provider's own pages and endpoints, but without a browser: the state that a
 * browser has afterwards. Typing takes seconds of a browser's time; the tests of signing in do that.
 */
export async function signUpByProtocol(
  productUrl: string,
  person: Person,
): Promise<{ token: string; storageState: StorageState }> {
  const config = appConfigSchema.parse(await (await fetch(`${productUrl}/config.json`)).json());
  const redirectUri = `${productUrl}/redirect`;
  const verifier = randomBytes(32).toString('base64url');
  const jar = new CookieJar();

  const authorization = new URL('/auth', config.issuer);
  authorization.search = new URLSearchParams({
    client_id: config.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: config.scope ?? 'openid profile email',
    state: 'test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: config.audience,
  }).toString();
  const signIn = await jar.send(authorization);
  const signUp = new URL(`${signIn.location.pathname}/sign-up`, config.issuer);
  const form = await jar.send(signUp);
  const [, formToken = ''] = /name="form_token" value="([^"]*)"/.exec(form.text) ?? [];
  const accepted = await jar.send(signUp, {
    form_token: formToken,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    password: person.password,
  });
  const returned = await jar.send(accepted.location);
  const tokens = await jar.send(new URL('/token', config.issuer), {
    grant_type: 'authorization_code',
    client_id: config.client_id,
    code: returned.location.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource: config.audience,
  });
  const session = sessionFrom(JSON.parse(tokens.text));
  const localStorage = [{ name: 'assay.session', value: JSON.stringify(session) }];
  const storageState = {
    cookies: [...jar.cookies.values()],
    origins: [{ origin: productUrl, localStorage }],
  };
  return { token: session.user_access_token, storageState };
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** What the web app keeps of a sign-in. */
function sessionFrom({ access_token, refresh_token, id_token, expires_in, scope }: Tokens) {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const [, claims = ''] = id_token.split('.');
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return {
    user_access_token: access_token,
    obtained_at: nowSeconds,
    expires_at: nowSeconds + expires_in,
    refresh_token,
    id_token,
    scope,
    subject: sub,
  };
}

class CookieJar {
  readonly cookies = new Map<string, Cookie>();
  // Sign-ups are limited per network address, and all of 127.0.0.0/8 is this machine.
  readonly #localAddress = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

  /** Sends a form, or asks for a page, without following where the answer leads. */
  async send(url: URL, fields?: Record<string, string>): Promise<{ location: URL; text: string }> {
    const body = fields && new URLSearchParams(fields).toString();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        url,
        {
          method: body ? 'POST' : 'GET',
          family: 4,
          localAddress: this.#localAddress,
          headers: {
            cookie: [...this.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
            ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
          },
        },
        resolve,
      )
        .once('error', reject)
        .end(body);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if ((answer.statusCode ?? 500) >= 400) throw new Error(`${url} answers ${answer.statusCode}: ${text}`);
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(url, line);
    return { location: new URL(answer.headers.location ?? url, url), text };
  }

  #keep(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', ...value] = pair.split('=');
    const attributeOf = (attribute: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${attribute}=`))?.slice(attribute.length + 1);
    const expires = attributeOf('expires');
    const expiresAt = expires === undefined ? -1 : Date.parse(expires) / 1_000;
    const path = attributeOf('path') ?? '/';
    const key = `${name} ${path}`;
    if (expires !== undefined && expiresAt * 1_000 < Date.now()) this.cookies.delete(key);
    else
      this.cookies.set(key, {
        ...{ name, value: value.join('='), domain: url.hostname, path, expires: expiresAt },
        ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
      });
  }
}
