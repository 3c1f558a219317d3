import { createServer, type Server } from 'node:http';
import { findAsset, keptForEver } from '@assay/pages';
import type Provider from 'oidc-provider';
import { accountRoutes } from './account.routes.ts';
import { findAccountByEmail, insertAccount } from './accounts.store.ts';
import { adminRoutes, registerPasswordGrant } from './admin.ts';
import { sweepExpired } from './database.ts';
import { closeInstallation, type Installation, openInstallation } from './installation.ts';
import { interactionRoutes } from './interaction.routes.ts';
import { homeUrlOf, type IdentityOptions } from './options.ts';
import { notFoundMessage } from './pages/messages.ts';
import { hashPassword } from './passwords.ts';
import { apiResource, createProvider } from './provider.ts';
import { recordSessionUses } from './session-uses.ts';
import { userinfoRoute } from './userinfo.ts';
import { type Context, type Next, securityHeadersOf, seeOther, sendPage } from './web.ts';

export type { IdentityOptions } from './options.ts';

export interface Identity {
  issuer: string;
  /** There is no relay to send a code through, so a typed address counts as the person's own. `npm start` prints this. */
  trustsAddresses: boolean;
  /** An access token for an existing account, for trying the API without a browser. */
  issueToken(input: { email: string }): Promise<string>;
  close(): Promise<void>;
}

const sweepEveryMs = 60_000;
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
const connectionsMax = 512;

/** The embedded OpenID Connect provider, with its own pages, on its own port. */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  const installation = await openInstallation(options);
  try {
    await ensureDemoAccount(installation);
    const provider = createProvider(installation);
    const server = await listen(handlerOf(provider, installation), options);
    const sweep = setInterval(() => {
      sweepExpired(installation.database, installation.now()).catch(installation.onError);
    }, sweepEveryMs).unref();

    return {
      issuer: options.issuer,
      trustsAddresses: installation.trustsAddresses,
      issueToken: (input) => issueToken(provider, installation, input),
      close: async () => {
        clearInterval(sweep);
        await closeServer(server);
        await closeInstallation(installation);
      },
    };
  } catch (error) {
    await closeInstallation(installation);
    throw error;
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
    passwordHash: await hashPassword(demo.password),
    createdAt: now(),
  });
}

function handlerOf(provider: Provider, installation: Installation) {
  const headers = Object.entries(securityHeadersOf(installation));
  const homeUrl = homeUrlOf(installation);

  provider.use(async (ctx: Context, next: Next) => {
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
  return (...[request, response]: Parameters<typeof handle>) => {
    // Links in answers are built from these headers, so they always name the issuer.
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-host'];
    return handle(request, response);
  };
}

function listen(handler: Parameters<typeof createServer>[1], { host = '127.0.0.1', port }: IdentityOptions) {
  return new Promise<Server>((resolve, reject) => {
    const server = createServer(limits, handler as never);
    server.maxConnections = connectionsMax;
    // It stays: later it hears of connections that could not be accepted, which end nothing else.
    server.on('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
