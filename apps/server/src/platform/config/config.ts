import { isAbsolute, join, resolve } from 'node:path';
import { readingFrom } from './setting.ts';
import { settings } from './settings.ts';

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the environment once; every mistake is named at once and nothing starts with one. Whoever needs a part of it is
 * handed that part, and nobody else looks at the environment.
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const none = () => null;

  const port = read(settings.port, () => 3000);
  const publicUrl = read(settings.publicUrl, () => `http://localhost:${port}`);
  const metricsPort = read(settings.metricsPort, () => port + 9);
  const dataFolder = absolute(read(settings.dataFolder, () => '.assay'));
  const config = {
    publicUrl,
    stage: read(settings.stage, () => 'production' as const),
    files: filesFrom(read, dataFolder),
    secret: read(settings.secret),
    logLevel: read(settings.logLevel, () => 'info' as const),
    commit: read<string | null>(settings.commit, none),
    database: databaseFrom(read),
    http: {
      port,
      host: read(settings.host, () => '127.0.0.1'),
      trustedProxies: read<readonly string[]>(settings.trustedProxies, () => []),
      bodyLimitBytes: read(settings.bodyLimitBytes, () => 65_536),
      requestsPerAddress: read(settings.requestsPerAddress, () => 3_000),
      requestsPerCustomer: read(settings.requestsPerCustomer, () => 600),
      downloadsPerCustomer: read(settings.downloadsPerCustomer, () => 5),
      drainSeconds: read(settings.drainSeconds, () => 0),
    },
    realtime: { socketsPerCustomer: read(settings.socketsPerCustomer, () => 20) },
    metrics: {
      host: read(settings.metricsHost, () => '127.0.0.1'),
      port: metricsPort,
      workerPort: read(settings.workerMetricsPort, () => metricsPort + 1),
    },
    identity: {
      issuer: read(settings.oidcIssuer),
      audience: read(settings.oidcAudience, () => `${publicUrl}/api`),
      clientId: read(settings.oidcClientId, () => 'assay-web'),
      tokenTypes: read<readonly ('at+jwt' | 'jwt')[]>(settings.oidcTokenTypes, () => ['at+jwt', 'jwt']),
      admin: identityAdminFrom(read),
    },
    web: {
      clientKey: read(settings.clientKey, () => 'assay-web'),
      docsUrl: read(settings.docsUrl, () => '/docs'),
      analyticsUrl: read<string | null>(settings.analyticsUrl, none),
    },
    payments: {
      stripe: stripeFrom(read),
      graceDays: read(settings.paymentGraceDays, () => 14),
    },
    warmUp: {
      tokenKeys: read<readonly string[]>(settings.mailboxTokenKeys, () => []),
      google: googleMailboxesFrom(read),
      microsoft: microsoftMailboxesFrom(read),
    },
    mail: { relayUrl: read<string | null>(settings.smtpRelayUrl, none) },
    support: supportFrom(read, publicUrl),
    verifier: {
      dns: read<string | null>(settings.dns, none),
      smtpPort: read(settings.smtpPort, () => 25),
      allowRanges: read<readonly string[]>(settings.allowRanges, () => []),
      egress: read(settings.egress, () => 'default'),
      helo: read<string | null>(settings.helo, none),
      mailFrom: read<string | null>(settings.mailFrom, none),
    },
    webhooks: { allowRanges: read<readonly string[]>(settings.webhookAllowRanges, () => []) },
    sandbox: sandboxFrom(read),
    uploads: {
      bytesMax: read(settings.uploadBytesMax, () => 256 * 1024 * 1024),
      rowsMax: read(settings.uploadRowsMax, () => 2_000_000),
      atOncePerCustomer: read(settings.uploadsPerCustomer, () => 5),
      storedBytesPerCustomer: read(settings.uploadStoreBytes, () => 1024 * 1024 * 1024),
    },
    guessing: {
      triesMax: read(settings.guessTriesMax, () => 8),
      rowsMax: read(settings.guessRowsMax, () => 5_000),
      peoplePerDomain: read(settings.guessesPerDomain, () => 300),
      peoplePerCustomerAndDomain: read(settings.guessesPerCustomerDomain, () => 100),
    },
  };
  refuseProblems();
  return config;
}

/** For commands that touch nothing but the database. */
export function readDatabaseConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const database = databaseFrom(read);
  refuseProblems();
  return database;
}

/** For the command that prepares the Stripe account. */
export function readStripeSetupConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const setup = {
    secretKey: read(settings.stripeSecretKey),
    apiUrl: read(settings.stripeApiUrl, () => defaultStripeApiUrl),
    publicUrl: read(settings.publicUrl),
  };
  refuseProblems();
  return setup;
}

/** A folder, or a bucket with the way to it. */
function filesFrom(read: ReturnType<typeof readingFrom>['read'], dataFolder: string) {
  const location = read(
    settings.files,
    () => ({ kind: 'folder', folder: join(dataFolder, 'files') }) as const,
  );
  if (location?.kind !== 's3') return { kind: 'folder', folder: absolute(location?.folder ?? '') } as const;
  return {
    ...location,
    endpoint: read<string | null>(settings.s3Endpoint, () => null),
    region: read(settings.s3Region, () => 'us-east-1'),
    credentials: s3CredentialsFrom(read),
  };
}

/** Null when nothing is said of them; with one of the two alone, the other is a mistake to be named. */
function s3CredentialsFrom(read: ReturnType<typeof readingFrom>['read']) {
  const given = [settings.s3AccessKeyId, settings.s3SecretAccessKey].some((part) =>
    read<string>(part, () => ''),
  );
  if (!given) return null;
  return { accessKeyId: read(settings.s3AccessKeyId), secretAccessKey: read(settings.s3SecretAccessKey) };
}

const defaultStripeApiUrl = 'https://api.stripe.com';

/** Null when nothing is said of Stripe; with the key alone, the missing secret is a mistake to be named. */
function stripeFrom(read: ReturnType<typeof readingFrom>['read']) {
  const secretKey = read<string | null>(settings.stripeSecretKey, () => null);
  if (secretKey === null) return null;
  return {
    secretKey,
    webhookSecret: read(settings.stripeWebhookSecret),
    apiUrl: read(settings.stripeApiUrl, () => defaultStripeApiUrl),
  };
}

/** Null when nothing is said of it; with the kind alone, what is missing is a mistake to be named. */
function identityAdminFrom(read: ReturnType<typeof readingFrom>['read']) {
  const kind = read<'keycloak' | 'auth0' | null>(settings.oidcAdminKind, () => null);
  if (kind === null) return null;
  return {
    kind,
    url: read(settings.oidcAdminUrl, () => read(settings.oidcIssuer)),
    clientId: read(settings.oidcAdminClientId),
    clientSecret: read(settings.oidcAdminClientSecret),
    webClientId: read(settings.oidcClientId, () => 'assay-web'),
    connection: read(settings.oidcAdminConnection, () => 'Username-Password-Authentication'),
  };
}

/** Null when nothing is said of Google's mailboxes; with the client alone, the missing secret is a mistake to be named. */
function googleMailboxesFrom(read: ReturnType<typeof readingFrom>['read']) {
  const clientId = read<string | null>(settings.googleClientId, () => null);
  if (clientId === null) return null;
  return {
    clientId,
    clientSecret: read(settings.googleClientSecret),
    authorizationUrl: read(settings.googleAuthorizationUrl, defaultOf(settings.googleAuthorizationUrl)),
    tokenUrl: read(settings.googleTokenUrl, defaultOf(settings.googleTokenUrl)),
    revocationUrl: read(settings.googleRevocationUrl, defaultOf(settings.googleRevocationUrl)),
    profileUrl: read(settings.googleProfileUrl, defaultOf(settings.googleProfileUrl)),
  };
}

/** The same for Microsoft's. */
function microsoftMailboxesFrom(read: ReturnType<typeof readingFrom>['read']) {
  const clientId = read<string | null>(settings.microsoftClientId, () => null);
  if (clientId === null) return null;
  return {
    clientId,
    clientSecret: read(settings.microsoftClientSecret),
    authorizationUrl: read(settings.microsoftAuthorizationUrl, defaultOf(settings.microsoftAuthorizationUrl)),
    tokenUrl: read(settings.microsoftTokenUrl, defaultOf(settings.microsoftTokenUrl)),
    profileUrl: read(settings.microsoftProfileUrl, defaultOf(settings.microsoftProfileUrl)),
    consentUrl: read(settings.microsoftConsentUrl, defaultOf(settings.microsoftConsentUrl)),
  };
}

/** For settings whose words for the table are the value itself. */
const defaultOf =
  ({ otherwise }: { readonly otherwise?: string }) =>
  (): string =>
    otherwise ?? '';

/** Each is null when nothing is said of it; with an address alone, what goes with it is a mistake to be named. */
function supportFrom(read: ReturnType<typeof readingFrom>['read'], publicUrl: string) {
  const to = read<string | null>(settings.supportMailTo, () => null);
  const url = read<string | null>(settings.supportWebhookUrl, () => null);
  return {
    mail: to
      ? {
          to,
          from: read(settings.supportMailFrom, () => `no-reply@${URL.parse(publicUrl)?.hostname}`),
          relayUrl: read(settings.smtpRelayUrl),
        }
      : null,
    webhook: url ? { url, secret: read(settings.supportWebhookSecret) } : null,
  };
}

/** Null when nothing is said of it; with the DNS alone, the missing ranges are a mistake to be named. */
function sandboxFrom(read: ReturnType<typeof readingFrom>['read']) {
  const dns = read<string | null>(settings.sandboxDns, () => null);
  if (!dns) return null;
  return { dns, allowRanges: read<readonly string[]>(settings.sandboxRanges) };
}

const databaseFrom = (read: ReturnType<typeof readingFrom>['read']) => ({
  url: read(settings.databaseUrl),
  poolSize: read(settings.databasePoolSize, () => 10),
});

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path));
