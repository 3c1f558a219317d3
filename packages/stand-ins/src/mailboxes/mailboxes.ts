import { type Answer, assetAnswer, listen, type WebRequest } from '@assay/pages';
import { decideAuthorization, showAuthorization } from './authorize.ts';
import { showConnections, withdrawConsent } from './connections.ts';
import { openDatabase } from './database.ts';
import { type Grant, listGrants, sweepExpired } from './grants.store.ts';
import { json } from './json.ts';
import { lostPage } from './pages/screens.ts';
import { type Provider, type ProviderName, providers } from './providers.ts';
import { giveProfile, revokeToken } from './resources.ts';
import { giveTokens } from './token.ts';
import type { Call, Client, World } from './world.ts';

export interface MailboxesOptions {
  /** Where to listen; the loopback address when not given. */
  host?: string;
  /** Any free port when not given. */
  port?: number;
  /** The origin that people's browsers reach, such as http://localhost:3003; our own when not given. */
  publicUrl?: string;
  /** A PostgreSQL database, in which the schema `mailboxes` is ours: grants survive a restart. */
  databaseUrl: string;
  /** The application that asks for access, at both providers. */
  client: Client;
  /** Moved by hand in tests. */
  now?: () => Date;
}

type Endpoint = 'token' | 'profile' | 'revoke';

interface OddAnswer {
  readonly provider: ProviderName;
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly body: unknown;
}

export interface Mailboxes {
  readonly origin: string;
  readonly addresses: Readonly<Record<ProviderName, Provider['paths']>>;
  /** The product's settings for each provider. */
  readonly environment: Readonly<Record<ProviderName, Record<string, string>>>;
  /** The next call of this kind gets this answer instead. */
  answerNext(answer: OddAnswer): void;
  /** What people allow at the moment. */
  consents(provider: ProviderName): Promise<Pick<Grant, 'address' | 'createdAt'>[]>;
  close(): Promise<void>;
}

type Handler = (provider: Provider, call: Call) => Promise<Answer>;
interface Route {
  readonly provider: Provider;
  readonly handle: Handler;
  readonly endpoint?: Endpoint;
}

const sweepEveryMs = 600_000;

/** Both mailbox providers' OAuth endpoints on loopback, with pages for consent and for taking it back. */
export async function startMailboxes(options: MailboxesOptions): Promise<Mailboxes> {
  const host = options.host ?? '127.0.0.1';
  const db = await openDatabase(options.databaseUrl);
  const world: World = { db, client: options.client, now: options.now ?? (() => new Date()) };
  const oddAnswers: OddAnswer[] = [];
  const server = await listen({
    host,
    port: options.port ?? 0,
    respond: createRespond(world, oddAnswers),
  }).catch(async (error: unknown) => {
    await db.end();
    throw error;
  });
  const sweep = setInterval(() => {
    // What could not be swept now is swept the next time.
    sweepExpired(db, world.now()).catch(() => undefined);
  }, sweepEveryMs).unref();
  const origin = options.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`;

  const addresses = Object.fromEntries(
    providers.map(({ name, paths }) => [name, addressesBelow(origin, paths)]),
  ) as Mailboxes['addresses'];

  return {
    origin,
    addresses,
    environment: environmentOf(options.client, addresses),
    answerNext: (answer) => oddAnswers.push(answer),
    consents: (provider) => listGrants(db, provider),
    close: async () => {
      clearInterval(sweep);
      await server.close();
      await db.end();
    },
  };
}

const environmentOf = (
  { id, secret }: Client,
  { google, microsoft }: Mailboxes['addresses'],
): Mailboxes['environment'] => ({
  google: {
    GOOGLE_CLIENT_ID: id,
    GOOGLE_CLIENT_SECRET: secret,
    GOOGLE_AUTHORIZATION_URL: google.authorize,
    GOOGLE_TOKEN_URL: google.token,
    GOOGLE_REVOCATION_URL: google.revoke ?? '',
    GOOGLE_PROFILE_URL: google.profile,
  },
  microsoft: {
    MICROSOFT_CLIENT_ID: id,
    MICROSOFT_CLIENT_SECRET: secret,
    MICROSOFT_AUTHORIZATION_URL: microsoft.authorize,
    MICROSOFT_TOKEN_URL: microsoft.token,
    MICROSOFT_PROFILE_URL: microsoft.profile,
    MICROSOFT_CONSENT_URL: microsoft.connections,
  },
});

const addressesBelow = (origin: string, paths: Provider['paths']): Provider['paths'] => ({
  authorize: `${origin}${paths.authorize}`,
  token: `${origin}${paths.token}`,
  profile: `${origin}${paths.profile}`,
  revoke: paths.revoke && `${origin}${paths.revoke}`,
  connections: `${origin}${paths.connections}`,
});

function createRespond(world: World, oddAnswers: OddAnswer[]) {
  const routes = routeTable();
  return async (request: WebRequest): Promise<Answer> => {
    const asset = assetAnswer(request);
    if (asset) return asset;
    const route = routes.get(`${request.method} ${request.path}`);
    if (!route) return lostPage();

    const oddIndex = oddAnswers.findIndex(
      ({ provider, endpoint }) => provider === route.provider.name && endpoint === route.endpoint,
    );
    const [odd] = oddIndex < 0 ? [] : oddAnswers.splice(oddIndex, 1);
    if (odd) return json(odd.status, odd.body);
    return route.handle(route.provider, {
      ...world,
      request,
      query: new URLSearchParams(request.query),
      form: new URLSearchParams(request.body),
    });
  };
}

function routeTable(): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const provider of providers) {
    const { paths } = provider;
    const add = (route: string, handle: Handler, endpoint?: Endpoint) =>
      routes.set(route, { provider, handle, ...(endpoint && { endpoint }) });
    add(`GET ${paths.authorize}`, showAuthorization);
    add(`POST ${paths.authorize}`, decideAuthorization);
    add(`POST ${paths.token}`, giveTokens, 'token');
    add(`GET ${paths.profile}`, giveProfile, 'profile');
    if (paths.revoke) add(`POST ${paths.revoke}`, revokeToken, 'revoke');
    add(`GET ${paths.connections}`, showConnections);
    add(`POST ${paths.connections}`, withdrawConsent);
  }
  return routes;
}
