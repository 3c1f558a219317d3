import { createServer, type RequestListener, type Server } from 'node:http';
import { findAsset, keptForEver } from '@assay/pages';
import type Provider from 'oidc-provider';
import { accountRoutes } from './account.routes.ts';
import { adminRoutes, registerPasswordGrant } from './admin.ts';
import { answerHealth } from './health.ts';
import { closeInstallation, type Installation, openInstallation } from './installation.ts';
import { homeUrlOf, type IdentityOptions, mountPathOf } from './options.ts';
import { notFoundMessage } from './pages/messages.ts';
import { hashPassword } from './passwords.ts';
import { apiResource, createProvider } from './provider.ts';
import { recordSessionUses } from './session-uses.ts';
import { interactionRoutes } from './sign-in/interaction.routes.ts';
import { findAccountByEmail, insertAccount } from './store/accounts.store.ts';
import { openDatabase, sweepExpired } from './store/database.ts';
import { loadSigningKeys } from './store/secrets.store.ts';
import { userinfoRoute } from './userinfo.ts';
import { type Context, type Next, securityHeadersOf, seeOther, sendPage } from './web.ts';

export type { IdentityOptions, TwoStepChange } from './options.ts';

export interface Identity {
  issuer: string;
  /** There is no relay to send a code through, so a typed address counts as the person's own. `npm start` prints this. */
  trustsAddresses: boolean;
  /** An access token for an existing account, for trying the API without a browser. */
  issueToken(input: { email: string }): Promise<string>;
  close(): Promise<void>;
}

const defaultUpkeepEveryMs = 60_000;
/** How long requests under way may take when it closes. */
const closePatienceMs = 5_000;
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
const connectionsMax = 512;

/** The embedded OpenID Connect provider, with its own pages, on its own port. */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  const installation = await openInstallation(options);
  try {
    await ensureDemoAccount(installation);
    let serving = serve(installation);
    const server = await listen((request, response) => serving.handle(request, response), options);
    const keepUp = async () => {
      const now = installation.now();
      await sweepExpired(installation.database, now);
      const signingKeys = await loadSigningKeys(installation.database, now);
      if (namesOf(signingKeys) === namesOf(serving.installation.secrets.signingKeys)) return;
      // The library takes keys when it is made. It remembers nothing else, so another one can go on.
      serving = serve({ ...installation, secrets: { ...installation.secrets, signingKeys } });
    };
    let upkeepUnderWay: Promise<void> | undefined;
    const upkeep = setInterval(() => {
      upkeepUnderWay ??= keepUp()
        .catch(installation.onError)
        .finally(() => {
          upkeepUnderWay = undefined;
        });
    }, options.upkeepEveryMs ?? defaultUpkeepEveryMs).unref();

    return {
      issuer: options.issuer,
      trustsAddresses: installation.trustsAddresses,
      issueToken: (input) => issueToken(serving.provider, installation, input),
      close: async () => {
        clearInterval(upkeep);
        await upkeepUnderWay;
        await closeServer(server);
        await closeInstallation(installation);
      },
    };
  } catch (error) {
    await closeInstallation(installation);
    throw error;
  }
}

/** Whether an account has this address. Makes the tables if they are missing. */
export async function hasIdentityAccount(databaseUrl: string, email: string): Promise<boolean> {
  const database = await openDatabase(databaseUrl);
  try {
    return (await findAccountByEmail(database, email)) !== undefined;
  } finally {
    await database.end();
  }
}

/** The same token without a server: for a command beside the running product. */
export async function issueIdentityToken(
  input: Pick<IdentityOptions, 'databaseUrl' | 'issuer' | 'audience' | 'clientId' | 'smtpRelayUrl'> & {
    email: string;
  },
): Promise<string> {
  const redirectUris = [new URL('/', input.issuer).href];
  const installation = await openInstallation({
    ...input,
    port: 0,
    redirectUris,
    postLogoutRedirectUris: [],
  });
  try {
    return await issueToken(createProvider(installation), installation, input);
  } finally {
    await closeInstallation(installation);
  }
}

async function issueToken(
  provider: Provider,
  { database, options }: Installation,
  { email }: { email: string },
): Promise<string> {
  const account = await findAccountByEmail(database, email);
  if (!account) throw new Error(`No account has the address ${email}. Sign up with it first.`);
  const client = await provider.Client.find(options.clientId);
  if (!client) throw new Error(`The client ${options.clientId} is not registered.`);
  const token = new provider.AccessToken({
    accountId: account.id,
    client,
    // A signed token is enough: no grant is looked up for it.
    grantId: '',
    gty: 'assay_token',
    resourceServer: new provider.ResourceServer(options.audience, apiResource(options.audience)),
  });
  return token.save();
}

async function ensureDemoAccount({ options, database, now }: Installation): Promise<void> {
  const { demo } = options;
  if (!demo || (await findAccountByEmail(database, demo.email))) return;
  await insertAccount(database, {
    email: demo.email,
    firstName: demo.firstName,
    lastName: demo.lastName,
    identity: 'email',
    emailProved: true,
    passwordHash: await hashPassword(demo.password, options.passwordCost),
    createdAt: now(),
  });
}

interface Serving {
  readonly installation: Installation;
  readonly provider: Provider;
  readonly handle: RequestListener;
}

function serve(installation: Installation): Serving {
  const provider = createProvider(installation);
  return { installation, provider, handle: handlerOf(provider, installation) };
}

const namesOf = (keys: readonly { readonly kid?: string }[]): string => keys.map(({ kid }) => kid).join();

function handlerOf(provider: Provider, installation: Installation): RequestListener {
  const headers = Object.entries(securityHeadersOf(installation));
  const homeUrl = homeUrlOf(installation);
  const mountPath = mountPathOf(installation.options.issuer);

  provider.use(async (ctx: Context, next: Next) => {
    ctx.mountPath = mountPath;
    for (const [name, value] of headers) ctx.set(name, value);
    const asset = ctx.method === 'GET' ? findAsset(ctx.path) : undefined;
    if (asset) {
      ctx.set('cache-control', keptForEver);
      ctx.set('content-type', asset.type);
      ctx.body = asset.body;
      return undefined;
    }
    if (ctx.path === '/') return seeOther(ctx, homeUrl);
    await next();
    if (ctx.status === 404 && !ctx.body && ctx.get('accept').includes('text/html')) {
      sendPage(ctx, notFoundMessage({ homeUrl }), 404);
    }
    return undefined;
  });
  provider.use(recordSessionUses(installation));
  provider.use(userinfoRoute(installation));
  provider.use(interactionRoutes(provider, installation));
  provider.use(accountRoutes(provider, installation));
  if (installation.options.admin) {
    registerPasswordGrant(provider, installation);
    provider.use(adminRoutes(provider, installation));
  }

  const { host, protocol } = new URL(installation.options.issuer);
  const handle = provider.callback();
  return (request, response) => {
    const { url = '' } = request;
    if (answerHealth(installation, request, response)) return undefined;
    if (!url.startsWith(`${mountPath}/`)) return void response.writeHead(404).end();
    request.url = url.slice(mountPath.length);
    // Links in answers are built from these headers, so they always name the issuer.
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-host'];
    return handle(request, response);
  };
}

function listen(handler: RequestListener, { host = '127.0.0.1', port }: IdentityOptions) {
  return new Promise<Server>((resolve, reject) => {
    const server = createServer(limits, handler);
    server.maxConnections = connectionsMax;
    // It stays: later it hears of connections that could not be accepted, which end nothing else.
    server.on('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const lastResort = setTimeout(() => server.closeAllConnections(), closePatienceMs);
    server.close(() => {
      clearTimeout(lastResort);
      resolve();
    });
  });
}
