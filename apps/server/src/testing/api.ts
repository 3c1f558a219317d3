import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { type AppParts, buildApp } from '../app.ts';
import { systemClock, systemSchedule } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config/index.ts';
import { openFileStore } from '../platform/files/open-file-store.ts';
import type { Readiness, RouteList } from '../platform/http/index.ts';
import { createLogger } from '../platform/logging/index.ts';
import { createMetrics, type Metrics } from '../platform/metrics/index.ts';
import { type JobQueue, openQueue } from '../platform/queue/index.ts';
import type { MovableClock } from './clock.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startTestIssuer, type TestIssuer, type TokenClaims } from './issuer.ts';
import { checkOwners } from './owner-check.ts';

export interface TestApiOptions {
  /** Settings by their environment variable, such as `{ RATE_LIMIT_PER_CUSTOMER: '3' }`. */
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: MovableClock;
  readonly webRoot?: string;
  readonly whyNotReady?: Readiness;
  /** Amazon on loopback. */
  readonly sns?: AppParts['sns'];
  readonly imap?: AppParts['imap'];
  /** Another instance with the same database and issuer, like a second process. */
  readonly beside?: TestApi;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly routeList: RouteList;
  readonly database: TestDatabase;
  readonly issuer: TestIssuer;
  readonly config: Config;
  readonly queue: JobQueue;
  readonly metrics: Metrics;
  /** The folder of the file store, unless a test sets another. */
  readonly filesFolder: string;
  /** The parsed log lines so far. */
  readonly logLines: readonly Record<string, unknown>[];
  /** A bearer token for a person with a verified address, with the given claims. */
  tokenFor(claims?: TokenClaims): Promise<string>;
  /** Calls the API without a network, with a token if given. */
  call(method: InjectOptions['method'], path: string, input?: CallInput): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

interface CallInput {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** JSON, or a form. */
  readonly body?: unknown;
}

/**
 * The whole API with its own database and an issuer on loopback that signs any claims. Its statements that touch rows of accounts
 * without naming the account fail.
 */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.beside?.database ?? (await createTestDatabase());
  const issuer = options.beside?.issuer ?? (await startTestIssuer());
  const filesFolder = await mkdtemp(join(tmpdir(), 'assay-files-'));
  const config = readConfig({
    DATABASE_URL: database.url,
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: issuer.audience,
    PUBLIC_URL: 'https://assay.test',
    ASSAY_SECRET: options.beside?.config.secret ?? randomBytes(32).toString('hex'),
    ASSAY_FILES: filesFolder,
    ASSAY_WEB_APP: options.webRoot ?? 'none',
    LOG_LEVEL: 'debug',
    // Nothing answers there: tests ask no name server of the outside world.
    ASSAY_DNS: '127.0.0.1:1',
    // All customers of a test are at example.com.
    FREE_CREDITS_PER_DOMAIN: '1000000',
    ...options.env,
  });
  const logLines: Record<string, unknown>[] = [];
  const logger = createLogger({
    level: config.logLevel,
    process: 'test',
    destination: { write: (line) => logLines.push(JSON.parse(line)) },
  });
  const queue = await openQueue({ databaseUrl: database.url, applicationName: 'assay test queue', logger });
  const metrics = createMetrics();
  const { clock } = options;
  // The API's own statements are checked, those of the test and of workers are not.
  const owners = checkOwners(database.pool);
  const { app, routeList } = await buildApp({
    config,
    database: { ...database, ...owners.checked },
    metrics,
    clock: clock ?? systemClock,
    schedule: clock?.schedule ?? systemSchedule,
    queue,
    files: await openFileStore(config),
    logger,
    version: { version: '0.0.0', commit: 'test' },
    whyNotReady: options.whyNotReady ?? (async () => null),
    ...(options.sns && { sns: options.sns }),
    ...(options.imap && { imap: options.imap }),
    // A test does in one process what others do in several, on a machine that may be busy.
    pressure: { loopDelayMsMax: Number.POSITIVE_INFINITY, sampleEveryMs: 5_000 },
  });
  await app.ready();

  return {
    app,
    routeList,
    database,
    issuer,
    config,
    queue,
    metrics,
    filesFolder,
    logLines,
    tokenFor: (claims = {}) =>
      issuer.tokenFor(
        {
          email: `${randomUUID()}@example.com`,
          email_verified: true,
          given_name: 'Ada',
          family_name: 'Assayer',
          identities: ['email'],
          ...claims,
        },
        clock ? { issuedAt: clock.now() } : {},
      ),
    call: async (method, path, { token, headers = {}, body } = {}) =>
      app.inject({
        method: method ?? 'GET',
        url: `/api${path}`,
        ...(await encodeBody(body, { ...(token && { authorization: `Bearer ${token}` }), ...headers })),
      }),
    close: async () => {
      await app.close();
      await queue.close();
      await rm(filesFolder, { recursive: true, force: true });
      if (!options.beside) {
        await issuer.close();
        await database.close();
      }
      await owners.end();
    },
  };
}

async function encodeBody(body: unknown, headers: Record<string, string>) {
  if (body === undefined) return { headers };
  if (!(body instanceof FormData)) return { headers, payload: body as object };
  // A Response serialises a form.
  const encoded = new Response(body);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', ...headers },
    payload: Buffer.from(await encoded.arrayBuffer()),
  };
}
