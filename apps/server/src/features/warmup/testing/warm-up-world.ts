import { type Mailboxes, startMailboxes } from '@assay/stand-ins/mailboxes';
import { createLogger } from '../../../platform/logging/index.ts';
import { createMetrics, type Metrics } from '../../../platform/metrics/index.ts';
import type { JobHandler } from '../../../platform/queue/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { type MovableClock, movableClock } from '../../../testing/clock.ts';
import { createBareDatabase } from '../../../testing/database.ts';
import { createMailboxGateways, createTokenVault, warmUpHandlers } from '../index.ts';

type ProviderPath = 'google' | 'microsoft';

export interface WarmUpWorld {
  readonly api: TestApi;
  readonly mailboxes: Mailboxes;
  readonly clock: MovableClock;
  readonly env: NodeJS.ProcessEnv;
  readonly metrics: Metrics;
  /** The worker's log so far. */
  readonly workerLog: readonly Record<string, unknown>[];
  /** The URL that the product sends the browser to. */
  authorizationUrl(token: string, provider: ProviderPath): Promise<string>;
  /** The person answers at the provider; returns the URL that the browser is redirected to. */
  decide(authorizationUrl: string, address: string, decision?: 'allow' | 'deny'): Promise<URL>;
  /** The browser posts code and state. */
  finish(
    token: string,
    provider: ProviderPath,
    back: URL | Record<string, string>,
  ): ReturnType<TestApi['call']>;
  /** Connects a mailbox, from start to end. */
  connect(token: string, provider: ProviderPath, address: string): ReturnType<TestApi['call']>;
  addresses(token: string): Promise<string[]>;
  /** Runs a job as a worker would, with other keys if given. */
  runJob(name: string, keys?: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const client = {
  id: 'assay-test',
  secret: 'a secret between the two',
  redirectUris: ['https://assay.test/oauth/callback'],
  title: 'Assay',
};

/** The API in staging, both mailbox providers on loopback, and one clock for all. */
export async function startWarmUpWorld(): Promise<WarmUpWorld> {
  const clock = movableClock();
  const theirs = await createBareDatabase();
  const mailboxes = await startMailboxes({ databaseUrl: theirs.url, client, now: () => clock.now() });
  const { google, microsoft } = mailboxes.environment;
  const env = { ASSAY_STAGE: 'staging', ...google, ...microsoft };
  const api = await startTestApi({ clock, env });
  const workerLog: Record<string, unknown>[] = [];
  const logger = createLogger({
    level: 'debug',
    process: 'worker',
    destination: { write: (line) => workerLog.push(JSON.parse(line)) },
  });
  const metrics = createMetrics();
  const gateways = createMailboxGateways(api.config);
  const handlersWith = (keys: readonly string[], handlerMetrics: Metrics): JobHandler[] =>
    warmUpHandlers({
      db: api.database.db,
      clock,
      logger,
      metrics: handlerMetrics,
      gateways,
      vault: createTokenVault(keys, api.config.secret),
    });
  const handlers = handlersWith([], metrics);

  const authorizationUrl: WarmUpWorld['authorizationUrl'] = async (token, provider) =>
    (await api.call('GET', `/warm-up/oauth/${provider}/authorize`, { token })).json().authorizationUrl;
  const decide: WarmUpWorld['decide'] = async (url, address, decision = 'allow') => {
    const answer = await fetch(`${url}&account=${encodeURIComponent(address)}`, {
      method: 'POST',
      body: new URLSearchParams({ decision }),
      redirect: 'manual',
    });
    return new URL(answer.headers.get('location') ?? '');
  };
  const finish: WarmUpWorld['finish'] = (token, provider, back) => {
    const { code = '', state = '' } = back instanceof URL ? Object.fromEntries(back.searchParams) : back;
    return api.app.inject({
      method: 'POST',
      url: `/api/warm-up/oauth/${provider}/callback`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ code, state }).toString(),
    });
  };

  return {
    api,
    mailboxes,
    clock,
    env,
    metrics,
    workerLog,
    authorizationUrl,
    decide,
    finish,
    connect: async (token, provider, address) =>
      finish(token, provider, await decide(await authorizationUrl(token, provider), address)),
    addresses: async (token) =>
      (await api.call('GET', '/warm-up/oauth/credentials', { token }))
        .json<{ credentials: { email: string }[] }>()
        .credentials.map(({ email }) => email),
    runJob: async (name, keys) => {
      const known = keys ? handlersWith(keys, createMetrics()) : handlers;
      const handler = known.find(({ job }) => job.name === name);
      if (!handler) throw new Error(`There is no job ${name}.`);
      await handler.run({}, { jobId: 'test', retryCount: 0, signal: new AbortController().signal });
    },
    close: async () => {
      await api.close();
      await mailboxes.close();
      await theirs.drop();
    },
  };
}
