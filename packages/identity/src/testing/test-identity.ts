import { createHash, randomBytes } from 'node:crypto';
import { type Page, Visitor } from '@assay/pages/testing/visitor';
import { createDatabase } from '@assay/postgres/testing/database';
import { freePort } from '@assay/postgres/testing/free-port';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { type Identity, type IdentityOptions, startIdentity } from '../index.ts';

export const redirectUri = 'http://app.test/redirect';
export const goodbyeUri = 'http://app.test/goodbye';
export const audience = 'https://api.assay.test';
export const clientId = 'assay-web';
export const goodPassword = 'copper beads in a cupel';

export interface TestIdentity extends Identity {
  databaseUrl: string;
  options: IdentityOptions;
  /** Errors reported to the operator. */
  faults: Error[];
  visitor(): Visitor;
  /** One statement on the provider's own tables, to look or to arrange. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
}

export async function startTestIdentity(
  overrides: Partial<IdentityOptions> & { databaseUrl?: string } = {},
): Promise<TestIdentity> {
  const databaseUrl = overrides.databaseUrl ?? (await createDatabase());
  const port = overrides.port ?? (await freePort());
  const faults: Error[] = [];
  const options: IdentityOptions = {
    databaseUrl,
    issuer: `http://127.0.0.1:${port}`,
    port,
    audience,
    clientId,
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [goodbyeUri],
    standsInForGoogle: true,
    passwordCost: { memory: 8, passes: 1, parallelism: 1 },
    // A clock that a test moves would delete what the library, by the machine's time, still needs.
    upkeepEveryMs: 24 * 60 * 60 * 1_000,
    onError: (error) => faults.push(error),
    ...overrides,
  };
  const identity = await startIdentity(options);
  return {
    ...identity,
    databaseUrl,
    options,
    faults,
    visitor: () => new Visitor(new URL(options.issuer).origin),
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        return (await client.query<Row>(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/** A provider for all tests of a file: it ends with them, and by then nothing may have gone wrong inside it. */
export async function identityOfFile(overrides: Partial<IdentityOptions> = {}): Promise<TestIdentity> {
  const identity = await startTestIdentity(overrides);
  afterAll(async () => {
    await identity.close();
    expect(identity.faults).toEqual([]);
  });
  return identity;
}

export interface Authorization {
  /** The page that the visitor sees: one of ours, or the web app's address with `code` in it. */
  page: Page;
  verifier: string;
}

/** Sends the visitor to sign in, as the web app does. */
export async function authorize(
  identity: Identity,
  visitor: Visitor,
  parameters: Record<string, string> = {},
): Promise<Authorization> {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${identity.issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email phone offline_access',
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return { page: await visitor.open(url), verifier };
}

export async function askForTokens(
  identity: Identity,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${identity.issuer}/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ client_id: clientId, ...fields }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, string>,
  };
}

/** Trades the code that the visitor came back with for tokens. */
export function exchangeCode(identity: Identity, page: Page, verifier: string) {
  const code = page.url.searchParams.get('code') ?? '';
  return askForTokens(identity, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
}

export interface Person {
  email: string;
  first_name: string;
  last_name: string;
  password: string;
}

let personCount = 0;

export function buildPerson(overrides: Partial<Person> = {}): Person {
  personCount += 1;
  return {
    email: `person${personCount}@exists.test`,
    first_name: 'Marta',
    last_name: 'Nowak',
    password: goodPassword,
    ...overrides,
  };
}

/** A new account, made the way people make one; the visitor ends signed in, at the web app's address. */
export async function signUp(identity: Identity, visitor: Visitor, person: Person): Promise<Authorization> {
  const { page, verifier } = await authorize(identity, visitor);
  const form = await visitor.follow(page, 'Create an account');
  return { page: await visitor.submit(form, { ...person }), verifier };
}

export async function signIn(
  identity: Identity,
  visitor: Visitor,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<Authorization> {
  const { page, verifier } = await authorize(identity, visitor);
  return { page: await visitor.submit(page, { email, password }), verifier };
}

export async function getJson<T>(url: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, { headers });
  return (await response.json()) as T;
}
