import { hostname } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_BASE } from '@assay/contract';
import { identityAdminClient, identityPath, identityRealmAt, issuerBelow } from './embedded-identity.ts';
import type { claim, EgressSetting } from './parsers.ts';
import { readingFrom } from './setting.ts';
import { settings } from './settings.ts';

const builtWebApp = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

export type Config = ReturnType<typeof readConfig>;

// Defaults that follow from other settings; `npm start` needs them before it can read the whole configuration.
export const metricsPortOffset = 9;
export const identityPortOffset = 1;
export const localUrl = (port: number): string => `http://localhost:${port}`;
export const audienceOf = (publicUrl: string): string => `${publicUrl}${API_BASE}`;

/**
 * Reads the environment once, names every mistake at once, and throws when there is one. Other code takes the part of the
 * configuration that it needs as an argument; none of it reads the environment.
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const none = () => null;

  const port = read(settings.port);
  const publicUrl = read(settings.publicUrl, () => localUrl(port));
  const metricsPort = read(settings.metricsPort, () => port + metricsPortOffset);
  const dataFolder = absolute(read(settings.dataFolder));
  const secret = read(settings.secret);
  const config = {
    publicUrl,
    stage: read(settings.stage),
    webRoot: read<string | null>(settings.webApp, () => builtWebApp),
    files: filesFrom(read, dataFolder),
    secret,
    previousSecrets: read<readonly string[]>(settings.previousSecrets, () => []),
    logLevel: read(settings.logLevel),
    commit: read<string | null>(settings.commit, none),
    database: databaseFrom(read),
    http: {
      port,
      host: read(settings.host),
      trustedProxies: read<readonly string[]>(settings.trustedProxies, () => []),
      connectionsPerAddress: read<number | null>(settings.connectionsPerAddress, none),
      bodyLimitBytes: read(settings.bodyLimitBytes),
      requestsPerAddress: read(settings.requestsPerAddress),
      requestsPerCustomer: read(settings.requestsPerCustomer),
      downloadsPerCustomer: read(settings.downloadsPerCustomer),
      waitsPerCustomer: read(settings.waitsPerCustomer),
      drainSeconds: read(settings.drainSeconds),
    },
    realtime: { socketsPerCustomer: read(settings.socketsPerCustomer) },
    metrics: {
      host: read(settings.metricsHost),
      port: metricsPort,
      workerPort: read(settings.workerMetricsPort, () => metricsPort + 1),
    },
    tracing: {
      endpoint: read<string | null>(settings.traceEndpoint, none),
      percent: read(settings.tracePercent),
    },
    identity: identityFrom(read, { publicUrl, secret }),
    web: {
      clientKey: read(settings.clientKey),
      docsUrl: read(settings.docsUrl),
      analyticsUrl: read<string | null>(settings.analyticsUrl, none),
    },
    payments: {
      stripe: stripeFrom(read),
      graceDays: read(settings.paymentGraceDays),
    },
    warmUp: {
      tokenKeys: read<readonly string[]>(settings.mailboxTokenKeys, () => []),
      google: googleMailboxesFrom(read),
      microsoft: microsoftMailboxesFrom(read),
    },
    mail: {
      relayUrl: read<string | null>(settings.smtpRelayUrl, none),
      from: mailFrom(read, publicUrl),
    },
    support: supportFrom(read, publicUrl),
    verifier: verifierFrom(read),
    webhooks: { allowRanges: read<readonly string[]>(settings.webhookAllowRanges, () => []) },
    sandbox: sandboxFrom(read),
    uploads: {
      bytesMax: read(settings.uploadBytesMax),
      rowsMax: read(settings.uploadRowsMax),
      atOncePerCustomer: read(settings.uploadsPerCustomer),
      storedBytesPerCustomer: read(settings.uploadStoreBytes),
    },
    freeGrantsPerDomain: read(settings.freeGrantsPerDomain),
    guessing: {
      triesMax: read(settings.guessTriesMax),
      rowsMax: read(settings.guessRowsMax),
      peoplePerDomain: read(settings.guessesPerDomain),
      peoplePerCustomerAndDomain: read(settings.guessesPerCustomerDomain),
    },
  };
  refuseProblems();
  return config;
}

/** For the command that checks the egress address. */
export function readVerifierConfig(env: NodeJS.ProcessEnv): VerifierConfig {
  const { read, refuseProblems } = readingFrom(env);
  const verifier = verifierFrom(read);
  refuseProblems();
  return verifier;
}

export type VerifierConfig = ReturnType<typeof verifierFrom>;

function verifierFrom(read: ReturnType<typeof readingFrom>['read']) {
  return {
    dns: read<string | null>(settings.dns, () => null),
    smtpPort: read(settings.smtpPort),
    allowRanges: read<readonly string[]>(settings.allowRanges, () => []),
    /** The name of the workers that share the egress addresses below. */
    egress: read(settings.egress),
    egresses: egressesFrom(read),
    targets: read(settings.egressTargets),
    blockLists: read(settings.blockLists),
  };
}

export type EgressConfig = ReturnType<typeof egressesFrom>[number];

/** The egress addresses of a worker: those that are listed, or the only one. */
function egressesFrom(read: ReturnType<typeof readingFrom>['read']) {
  const name = read(settings.egress);
  const only = { name, via: { kind: 'local' as const } };
  // Nothing where the setting is wrong, which is reported with the other problems.
  const listed = read<readonly EgressSetting[] | undefined>(settings.egresses, () => [only]) ?? [];
  const helo = read(settings.helo, hostname);
  const mailFrom = read<string | null>(settings.mailFrom, () => null);
  const address = listed.length > 1 ? null : read<string | null>(settings.egressAddress, () => null);
  return listed.map((egress) => ({
    name: egress.name,
    via: egress.via,
    helo: egress.helo ?? helo,
    mailFrom: egress.mailFrom ?? mailFrom ?? `verify@${egress.helo ?? helo}`,
    address: egress.address ?? address,
    weight: egress.weight ?? 1,
    connections: egress.connections ?? 500,
  }));
}

/** For commands that touch nothing but the database. */
export function readDatabaseConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const database = databaseFrom(read);
  refuseProblems();
  return database;
}

/** For the commands that back up and restore. The secret may be in the data folder. */
export function readRecoveryConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const dataFolder = absolute(read(settings.dataFolder));
  const config = {
    database: databaseFrom(read),
    dataFolder,
    files: filesFrom(read, dataFolder),
    uploads: { bytesMax: read(settings.uploadBytesMax) },
    s3: s3From(read),
    secret: read<string | null>(settings.secret, () => null),
    previousSecrets: read<readonly string[]>(settings.previousSecrets, () => []),
    mailboxTokenKeys: read<readonly string[]>(settings.mailboxTokenKeys, () => []),
    backupKey: read<string | null>(settings.backupKey, () => null),
    commit: read<string | null>(settings.commit, () => null),
    // The embedded provider lets us manage accounts, and is used unless another one is named.
    managesIdentities:
      read<string | null>(settings.oidcAdminKind, () => null) !== null ||
      read<string | null>(settings.identityUrl, () => null) !== null ||
      read<string | null>(settings.oidcIssuer, () => null) === null,
  };
  refuseProblems();
  return config;
}

export type RecoveryConfig = ReturnType<typeof readRecoveryConfig>;

/** For the command that encrypts again after a change of the secret. */
export function readSecretConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const config = {
    secret: read(settings.secret),
    previousSecrets: read<readonly string[]>(settings.previousSecrets),
  };
  refuseProblems();
  return config;
}

/** For commands that describe a customer's plan. */
export function readGraceDays(env: NodeJS.ProcessEnv): number {
  const { read, refuseProblems } = readingFrom(env);
  const graceDays = read(settings.paymentGraceDays);
  refuseProblems();
  return graceDays;
}

/** For the command that removes second factors. */
export function readIdentityAdminConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const { admin } = identityFrom(read, {
    publicUrl: read(settings.publicUrl),
    secret: read(settings.secret),
  });
  refuseProblems();
  return admin;
}

/** For the command that prepares the Stripe account. */
export function readStripeConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const stripe = { secretKey: read(settings.stripeSecretKey), apiUrl: read(settings.stripeApiUrl) };
  refuseProblems();
  return stripe;
}

export function readStripeSetupConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const setup = {
    secretKey: read(settings.stripeSecretKey),
    apiUrl: read(settings.stripeApiUrl),
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
  return { ...location, ...s3From(read) };
}

const s3From = (read: ReturnType<typeof readingFrom>['read']) => ({
  endpoint: read<string | null>(settings.s3Endpoint, () => null),
  region: read(settings.s3Region),
  credentials: s3CredentialsFrom(read),
});

/** Null when neither is given. With one of the two alone, the other is reported as missing. */
function s3CredentialsFrom(read: ReturnType<typeof readingFrom>['read']) {
  const given = [settings.s3AccessKeyId, settings.s3SecretAccessKey].some((part) =>
    read<string>(part, () => ''),
  );
  if (!given) return null;
  return { accessKeyId: read(settings.s3AccessKeyId), secretAccessKey: read(settings.s3SecretAccessKey) };
}

/** Null when Stripe is not configured. With the key alone, the missing secret is reported. */
function stripeFrom(read: ReturnType<typeof readingFrom>['read']) {
  const secretKey = read<string | null>(settings.stripeSecretKey, () => null);
  if (secretKey === null) return null;
  return {
    secretKey,
    webhookSecret: read(settings.stripeWebhookSecret),
    apiUrl: read(settings.stripeApiUrl),
  };
}

function identityFrom(
  read: ReturnType<typeof readingFrom>['read'],
  { publicUrl, secret }: { readonly publicUrl: string; readonly secret: string },
) {
  const url = read<string | null>(settings.identityUrl, () => null);
  const issuer = read(settings.oidcIssuer, url === null ? undefined : () => issuerBelow(publicUrl));
  /** Where `assay identity` answers for the issuer; null where the issuer's own address is the only one. */
  const reachedAt = url === null ? null : `${url}${URL.parse(issuer)?.pathname.replace(/\/$/, '')}`;
  return {
    issuer,
    reachedAt,
    /** Where the API serves the pages of `assay identity`; null where a proxy leads to it. */
    pages: url !== null && issuer === issuerBelow(publicUrl) ? { url, path: identityPath } : null,
    audience: read(settings.oidcAudience, () => audienceOf(publicUrl)),
    clientId: read(settings.oidcClientId),
    tokenTypes: read(settings.oidcTokenTypes),
    operatorClaims: {
      admin: read<ReturnType<typeof claim> | null>(settings.operatorClaim, () => null),
      support: read<ReturnType<typeof claim> | null>(settings.supportClaim, () => null),
    },
    admin: identityAdminFrom(read, reachedAt === null ? null : { reachedAt, secret }),
  };
}

/**
 * Null when no kind is given, and no `assay identity`, whose accounts can always be managed. With the kind alone, the missing
 * parts are reported.
 */
function identityAdminFrom(
  read: ReturnType<typeof readingFrom>['read'],
  embedded: { readonly reachedAt: string; readonly secret: string } | null,
) {
  const web = { webClientId: read(settings.oidcClientId), connection: read(settings.oidcAdminConnection) };
  const kind = read<'keycloak' | 'auth0' | null>(settings.oidcAdminKind, () => null);
  if (kind === null) {
    if (!embedded) return null;
    const realm = { kind: 'keycloak' as const, url: identityRealmAt(embedded.reachedAt) };
    // Without a secret, which is reported with the other problems, there is nothing to derive it from.
    return { ...realm, ...identityAdminClient(embedded.secret ?? ''), ...web };
  }
  return {
    kind,
    url: read(settings.oidcAdminUrl, () => read(settings.oidcIssuer)),
    clientId: read(settings.oidcAdminClientId),
    clientSecret: read(settings.oidcAdminClientSecret),
    ...web,
  };
}

/** For the process of the embedded identity provider. It needs a relay, because it takes no address on trust. */
export function readIdentityConfig(env: NodeJS.ProcessEnv) {
  const { read, refuseProblems } = readingFrom(env);
  const port = read(settings.port);
  const publicUrl = read(settings.publicUrl);
  const config = {
    publicUrl,
    databaseUrl: read(settings.databaseUrl),
    secret: read(settings.secret),
    issuer: read(settings.oidcIssuer, () => issuerBelow(publicUrl)),
    audience: read(settings.oidcAudience, () => audienceOf(publicUrl)),
    clientId: read(settings.oidcClientId),
    relayUrl: read(settings.smtpRelayUrl),
    mailFrom: mailFrom(read, publicUrl),
    host: read(settings.identityHost),
    port: read(settings.identityPort, () => port + identityPortOffset),
    logLevel: read(settings.logLevel),
    commit: read<string | null>(settings.commit, () => null),
  };
  refuseProblems();
  return config;
}

/** Null without a client. With the client alone, the missing secret is reported. */
function googleMailboxesFrom(read: ReturnType<typeof readingFrom>['read']) {
  const clientId = read<string | null>(settings.googleClientId, () => null);
  if (clientId === null) return null;
  return {
    clientId,
    clientSecret: read(settings.googleClientSecret),
    authorizationUrl: read(settings.googleAuthorizationUrl),
    tokenUrl: read(settings.googleTokenUrl),
    revocationUrl: read(settings.googleRevocationUrl),
    profileUrl: read(settings.googleProfileUrl),
  };
}

/** Like Google's. */
function microsoftMailboxesFrom(read: ReturnType<typeof readingFrom>['read']) {
  const clientId = read<string | null>(settings.microsoftClientId, () => null);
  if (clientId === null) return null;
  return {
    clientId,
    clientSecret: read(settings.microsoftClientSecret),
    authorizationUrl: read(settings.microsoftAuthorizationUrl),
    tokenUrl: read(settings.microsoftTokenUrl),
    profileUrl: read(settings.microsoftProfileUrl),
    consentUrl: read(settings.microsoftConsentUrl),
  };
}

const mailFrom = (read: ReturnType<typeof readingFrom>['read'], publicUrl: string): string =>
  read(settings.supportMailFrom, () => `no-reply@${URL.parse(publicUrl)?.hostname}`);

/** Each is null without its address. With an address alone, the missing parts are reported. */
function supportFrom(read: ReturnType<typeof readingFrom>['read'], publicUrl: string) {
  const to = read<string | null>(settings.supportMailTo, () => null);
  const url = read<string | null>(settings.supportWebhookUrl, () => null);
  return {
    mail: to
      ? {
          to,
          from: mailFrom(read, publicUrl),
          relayUrl: read(settings.smtpRelayUrl),
        }
      : null,
    webhook: url ? { url, secret: read(settings.supportWebhookSecret) } : null,
  };
}

/** Null without a DNS server. With that alone, the missing ranges are reported. */
function sandboxFrom(read: ReturnType<typeof readingFrom>['read']) {
  const dns = read<string | null>(settings.sandboxDns, () => null);
  if (!dns) return null;
  return { dns, allowRanges: read<readonly string[]>(settings.sandboxRanges) };
}

function databaseFrom(read: ReturnType<typeof readingFrom>['read']) {
  const url = read(settings.databaseUrl);
  const directUrl = read(settings.databaseDirectUrl, () => url);
  return {
    url,
    /** For what needs a session of its own: LISTEN, session locks, migrations. */
    directUrl,
    /** A pooler may run each transaction in another session, so sessions keep no prepared statements. */
    plansOnce: directUrl === url,
    poolSize: read(settings.databasePoolSize),
    /** For exports and charts. */
    replicaUrl: read<string | null>(settings.databaseReplicaUrl, () => null),
  };
}

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path));
