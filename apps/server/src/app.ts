import { API_BASE, REALTIME_PATH, type Version } from '@assay/contract';
import { createScreener } from '@assay/verifier';
import type { FastifyInstance } from 'fastify';
import { findFlags } from './features/accounts/index.ts';
import { registerActivityRoutes } from './features/activity/index.ts';
import { registerAssistants } from './features/assistants/index.ts';
import { type FindListNames, openGateway, registerBillingRoutes } from './features/billing/index.ts';
import { registerBouncesRoutes } from './features/bounces/index.ts';
import {
  readDocsAssets,
  registerDocs,
  registerOwnerCounts,
  renderProblemPage,
} from './features/docs/index.ts';
import { createAvailability, findAskedCounts } from './features/engine/index.ts';
import { openSns, registerFeedsRoutes } from './features/feeds/index.ts';
import { peopleLists, registerGuessingRoutes } from './features/guessing/index.ts';
import { registerNoticesRoutes } from './features/notices/index.ts';
import {
  findOperatorRole,
  registerOperatorRoutes,
  registerStatusRoute,
  showOperation,
} from './features/operator/index.ts';
import {
  createOutcomeCounter,
  type ImapOptions,
  recordOutcomes,
  registerOutcomesRoutes,
} from './features/outcomes/index.ts';
import { addRealtime } from './features/realtime/index.ts';
import { registerRecordsRoutes } from './features/records/index.ts';
import { registerSupportRoutes } from './features/support/index.ts';
import { registerSuppressionsRoutes, suppressByOutcomes } from './features/suppressions/index.ts';
import {
  createKeyResolver,
  createSignInRecorder,
  createSubjectResolver,
  findReceiptAddress,
  kindOfToken,
  recordKeyCalls,
  registerUsersRoutes,
} from './features/users/index.ts';
import { emailLists, registerValidationsRoutes } from './features/verification/index.ts';
import { createMailboxGateways, createTokenVault, registerWarmUpRoutes } from './features/warmup/index.ts';
import { registerWebhooksRoutes } from './features/webhooks/index.ts';
import {
  type Authentication,
  authenticateRequests,
  callerOfKey,
  connectIssuer,
  createBearerVerifier,
  rememberTokens,
  watchProvider,
} from './platform/auth/index.ts';
import type { Clock, Schedule, SteadyClock } from './platform/clock.ts';
import type { Config } from './platform/config/index.ts';
import { createSecrets, type Secrets } from './platform/crypto/secrets.ts';
import type { Database } from './platform/database/database.ts';
import { openReads } from './platform/database/reads.ts';
import { openEventHub } from './platform/events/index.ts';
import type { FileStore } from './platform/files/file-store.ts';
import {
  addHealth,
  addIdentityPages,
  addOpenApi,
  addWebApp,
  createHttpServer,
  type HttpServerOptions,
  limitPages,
  limitRequests,
  type Readiness,
  type RouteList,
  refuseDeparted,
  refuseUnknownRoute,
} from './platform/http/index.ts';
import { createIdentityAdmin } from './platform/identity-admin/index.ts';
import { createAllowanceStore, createConcurrencyLimit, requireAttempt } from './platform/limits/index.ts';
import type { Logger } from './platform/logging/index.ts';
import type { Metrics } from './platform/metrics/index.ts';
import { countOperations } from './platform/operation-counts.ts';
import type { JobQueue } from './platform/queue/index.ts';
import { openReadingPool } from './platform/reading/index.ts';

/** What differs between a process and a test. */
export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  readonly queue: JobQueue;
  readonly files: FileStore;
  readonly clock: Clock & SteadyClock;
  readonly schedule: Schedule;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: Version;
  readonly whyNotReady: Readiness;
  /** Whether an error that nothing caught ends this process soon. */
  readonly mustRefuse?: () => boolean;
  readonly pressure?: HttpServerOptions['pressure'];
  /** Where certificates of Amazon are; on the internet by default. */
  readonly sns?: ReturnType<typeof openSns>;
  /** Of hosts of mailboxes on loopback. */
  readonly imap?: Partial<ImapOptions>;
}

export interface App {
  readonly app: FastifyInstance;
  readonly routeList: RouteList;
}

interface ApiParts extends AppParts {
  readonly secrets: Secrets;
  readonly authentication: Authentication;
}

/** Wires the features to the platform: everything that the API process answers. */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config } = parts;
  const docsAssets = readDocsAssets();
  const { app, routeList } = await createHttpServer({
    ...config.http,
    logger: parts.logger,
    schedule: parts.schedule,
    isTraced: config.tracing.endpoint !== null,
    waitingLine: parts.database.waitingLine,
    ...(parts.pressure && { pressure: parts.pressure }),
    mustRefuse: parts.mustRefuse,
    publicUrl: config.publicUrl,
    problemPage: (problem) => renderProblemPage(problem, docsAssets.paths),
    upgradePath: `${API_BASE}${REALTIME_PATH}`,
    connectOrigins: [config.identity.issuer, config.web.analyticsUrl]
      .filter((address) => address !== null)
      .map((address) => new URL(address).origin),
  });
  try {
    await addEverything(app, routeList, parts);
  } catch (error) {
    // What was already opened, such as the line for events, would keep a process alive that cannot serve.
    await app.close();
    throw error;
  }
  return { app, routeList };
}

async function addEverything(app: FastifyInstance, routeList: RouteList, parts: AppParts): Promise<void> {
  const { config, metrics, version } = parts;
  metrics.timeRequests(app);
  metrics.watchPool(parts.database.pool);
  addHealth(app, parts.whyNotReady);
  await addOpenApi(app, { publicUrl: config.publicUrl, version: version.version });
  const secrets = createSecrets(config.secret, config.previousSecrets);
  const authentication = authenticationOf(parts, secrets);
  await app.register((api) => addApi(api, { ...parts, secrets, authentication }, routeList), {
    prefix: API_BASE,
  });
  await app.register(async (pages) => {
    limitPages(pages, parts.clock, config.http);
    registerDocs(pages, config);
    registerOwnerCounts(pages, {
      secrets: createSecrets(config.secret, config.previousSecrets),
      assets: readDocsAssets().paths,
      countTokensOf: openScreener(pages, config.verifier.dns).countTokensOf,
      findCounts: (domain) => findAskedCounts(parts.database.db, domain),
    });
    await registerAssistants(pages, {
      publicUrl: config.publicUrl,
      version: version.version,
      isApiKey: authentication.isApiKey,
      callerOfKey: (key, networkAddress) => callerOfKey(authentication, key, networkAddress),
    });
    if (config.identity.pages) await addIdentityPages(pages, config.identity.pages);
    await addWebApp(pages, { root: config.webRoot, config: webConfig(config), version, routeList });
  });
}

/** For the operator console and the status page. Files and health checks, which rarely fail, would hide errors. */
function countAnswers(api: FastifyInstance, { database: { db }, logger, clock, schedule }: AppParts): void {
  const counts = countOperations({ db, logger, clock, schedule });
  api.addHook('onResponse', async ({ method, routeOptions, id, caller, refusal }, { statusCode }) => {
    counts.add('requests');
    if (statusCode < 500) return;
    // What the caller gets of an unexpected error says nothing.
    const error = (refusal?.code === 'internal_error' && refusal.cause) || refusal || 'no refusal';
    const source = `${method} ${routeOptions.url ?? 'none'}`;
    counts.fail('errors', source, { error, traceId: id, customerId: caller?.accountId });
  });
  api.addHook('onClose', () => counts.close());
}

async function addApi(api: FastifyInstance, parts: ApiParts, routeList: RouteList): Promise<void> {
  countAnswers(api, parts);
  const { clock, config, database, secrets, authentication } = parts;
  const { db, pool } = database;
  recordKeyCalls(api, { ...parts, db });
  const reads = openReads({ ...parts, ...config.database, primary: database });
  api.addHook('onClose', () => reads.close());
  const events = await openEventHub({
    databaseUrl: config.database.directUrl,
    applicationName: 'assay api events',
    logger: parts.logger,
    schedule: parts.schedule,
  });
  api.addHook('onClose', () => events.close());

  api.setNotFoundHandler(refuseUnknownRoute(routeList));
  refuseDeparted(api, async (accountId) => (await findFlags(db, accountId)) !== undefined);
  api.addHook('onRequest', async (_request, reply) => {
    // Answers belong to one customer: no cache on the way may keep them.
    reply.header('cache-control', 'no-store');
  });
  const allowances = createAllowanceStore({ db, secrets });
  limitRequests(api, { store: allowances, clock }, config.http);
  authenticateRequests(api, authentication);

  const identityAdmin = config.identity.admin && createIdentityAdmin(config.identity.admin);
  registerUsersRoutes(api, {
    db,
    clock,
    secrets,
    schedule: parts.schedule,
    identityAdmin,
    sendsMails: config.mail.relayUrl !== null,
  });
  registerNoticesRoutes(api, { db, clock, secrets });
  const findListNames: FindListNames = (kind, ownerId, ids) =>
    (kind === 'emails' ? emailLists : peopleLists).answers.findNames(db, ownerId, ids);
  registerRecordsRoutes(api, {
    db,
    identityAdmin,
    findListNames,
    clock,
    secrets,
    reads,
    schedule: parts.schedule,
    publicUrl: config.publicUrl,
    queue: parts.queue,
    managesIdentities: config.identity.admin !== null,
    sendsMails: config.mail.relayUrl !== null,
    graceDays: config.payments.graceDays,
  });
  const downloads = createConcurrencyLimit(
    config.http.downloadsPerCustomer,
    'You have too many downloads open. Wait until one of them is finished, then try again.',
  );
  registerBillingRoutes(api, {
    ...parts,
    db,
    secrets,
    publicUrl: config.publicUrl,
    gateway: await openGateway(config.payments),
    graceDays: config.payments.graceDays,
    downloads,
    findListNames,
    findAddress: (ownerId) => findReceiptAddress(db, ownerId),
  });
  registerSupportRoutes(api, { db, clock, secrets, queue: parts.queue, support: config.support });
  registerWebhooksRoutes(api, { ...parts, ...config.webhooks, db, secrets });
  registerActivityRoutes(api, { ...parts, db, secrets, downloads, publicUrl: config.publicUrl });
  const uploads = createConcurrencyLimit(
    config.uploads.atOncePerCustomer,
    'You are sending too many files or long lists at once. Wait until one of them has arrived, then try again.',
  );
  const readingPool = openReadingPool(parts);
  api.addHook('onClose', () => readingPool.close());
  await registerBouncesRoutes(api, { db, clock, secrets, readingPool });
  const outcomes = {
    db,
    clock,
    queue: parts.queue,
    reactions: [suppressByOutcomes],
    counter: createOutcomeCounter(parts.metrics),
  };
  await registerOutcomesRoutes(api, {
    ...outcomes,
    secrets,
    readingPool,
    uploads,
    imap: { allowRanges: config.webhooks.allowRanges, ...parts.imap },
    hasList: async (ownerId, listId) =>
      (await emailLists.answers.find(db, { ownerId, listId })) !== undefined,
  });
  await registerSuppressionsRoutes(api, {
    ...parts,
    db,
    secrets,
    readingPool,
    uploads,
    downloads,
    publicUrl: config.publicUrl,
  });
  registerFeedsRoutes(api, {
    ...parts,
    db,
    secrets,
    allowances,
    readingPool,
    publicUrl: config.publicUrl,
    sns: parts.sns ?? openSns(config.webhooks, clock),
    recordOutcomes: (ownerId, origin, reports) => recordOutcomes(outcomes, ownerId, origin, reports),
  });
  const availability = createAvailability(clock);
  const screeners = openScreeners(api, config);
  await registerValidationsRoutes(api, {
    ...parts,
    availability,
    downloads,
    uploads,
    readingPool,
    db,
    pool,
    reads,
    secrets,
    events,
    limits: config.uploads,
    hasSandbox: config.sandbox !== null,
    waitsPerCustomer: config.http.waitsPerCustomer,
    publicUrl: config.publicUrl,
    screeners,
  });
  if (config.stage === 'staging') {
    registerWarmUpRoutes(api, {
      ...parts,
      db,
      secrets,
      vault: createTokenVault(config.warmUp.tokenKeys, config.secret),
      gateways: createMailboxGateways(config),
    });
  }
  await registerGuessingRoutes(api, {
    availability,
    schedule: parts.schedule,
    downloads,
    uploads,
    readingPool,
    db,
    reads,
    clock,
    secrets,
    queue: parts.queue,
    files: parts.files,
    limits: { ...config.guessing, storedBytesPerCustomer: config.uploads.storedBytesPerCustomer },
    screener: screeners.real,
    publicUrl: config.publicUrl,
  });
  registerStatusRoute(api, { ...parts, db });
  showOperation({ metrics: parts.metrics, db, clock, files: config.files });
  registerOperatorRoutes(api, {
    ...parts,
    db,
    identityAdmin,
    files: config.files,
    graceDays: config.payments.graceDays,
  });
  await addRealtime(api, { ...parts, ...authentication, events });
}

/** For estimates, which look addresses up in DNS and connect to no mail host. */
function openScreeners(api: FastifyInstance, { verifier, sandbox }: Config) {
  return { real: openScreener(api, verifier.dns), sandbox: openScreener(api, sandbox?.dns ?? verifier.dns) };
}

function openScreener(app: FastifyInstance, dns: string | null) {
  const screener = createScreener({ ...(dns && { dns: [dns] }), timeoutMs: screeningTimeoutMs });
  app.addHook('onClose', async () => screener.close());
  return screener;
}

const screeningTimeoutMs = 5_000;

function authenticationOf(
  { config, database: { db, waitingLine }, clock, logger }: AppParts,
  secrets: Secrets,
): Authentication {
  const { audience, clientId, tokenTypes, operatorClaims } = config.identity;
  const issuer = connectIssuer(config.identity);
  const onAccepted = watchProvider(logger);
  return {
    verifyBearer: rememberTokens(
      createBearerVerifier({ issuer, audience, clientId, tokenTypes, operatorClaims, clock, onAccepted }),
      clock,
    ),
    clientKey: config.web.clientKey,
    resolveSubject: createSubjectResolver(
      { db, clock, secrets, freeGrantsPerDomain: config.freeGrantsPerDomain },
      waitingLine.countWhile,
    ),
    onSignedIn: createSignInRecorder({ db, clock }),
    operatorRoleOf: ({ userId, subject }) => findOperatorRole(db, userId, subject?.operatorRole),
    isApiKey: (text) => kindOfToken(text) !== null,
    resolveApiKey: createKeyResolver({ db, clock, secrets }, waitingLine.countWhile),
    onUnknownApiKey: (key) =>
      requireAttempt({ db, secrets, clock }, { bucket: 'unknown_api_key', key, max: 30, windowSeconds: 600 }),
  };
}

const webConfig = ({ stage, identity, web }: Config) => ({
  stage,
  issuer: identity.issuer,
  client_id: identity.clientId,
  audience: identity.audience,
  // Keycloak hands out refresh tokens without it; with it, they would outlive the session.
  ...(identity.admin?.kind === 'keycloak' && {
    scope: 'openid profile email',
    account_url: `${identity.issuer.replace(/\/$/, '')}/account`,
  }),
  client_key: web.clientKey,
  docs_url: web.docsUrl,
  analytics_url: web.analyticsUrl,
});
