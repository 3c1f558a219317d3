import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { API_BASE, OAUTH_CALLBACK_PATH } from '@assay/contract';
import { startMailWorld } from '@assay/mail-world';
import { startPostgres } from '@assay/postgres';
import { startMailboxes } from '@assay/stand-ins/mailboxes';
import { startPayments } from '@assay/stand-ins/payments';
import { createCoupon } from '../../apps/server/src/features/billing/index.ts';
import { setUpPayments, webhookPath } from '../../apps/server/src/features/billing/set-up.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/database.ts';
import { startTestIssuer, type TestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { describeSurroundings } from '../support/environment.ts';
import { type ProductProcess, startProcess } from '../support/product-process.ts';
import type { Target } from './send.ts';
import { stripeWebhookSecret } from './stray-requests.ts';

/** The product with everything that it needs for every call of the contract. */
export interface AttackedProduct {
  readonly target: Target;
  readonly metricsUrl: string;
  readonly workerMetricsUrl: string;
  readonly environment: Record<string, string>;
  readonly issuer: TestIssuer;
  readonly database: Database;
  /** A coupon for one credit, once per customer. */
  readonly couponCode: string;
  /** The URL of a receiver that accepts webhooks. */
  readonly receiverUrl: string;
  readonly processes: readonly ProductProcess[];
  stop(): Promise<void>;
}

export interface Surroundings {
  /** Hosts that run elsewhere; the shipped mail world in this process by default. */
  readonly mail?: { readonly dns: string; readonly allowRanges: readonly string[] };
  /** Replaces settings of the product; an empty one gets its default. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startAttackedProduct(
  folder: string,
  surroundings: Surroundings = {},
): Promise<AttackedProduct> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await startParts(folder, surroundings, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  folder: string,
  surroundings: Surroundings,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<AttackedProduct, 'stop'>> {
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { fsync: 'off' } });
  closers.push(() => postgres.stop());
  const issuer = await startTestIssuer();
  closers.push(() => issuer.close());
  const mail = surroundings.mail ?? (await startMail(closers));
  const dataFolder = join(folder, 'data');
  await mkdir(join(dataFolder, 'files'), { recursive: true });
  const around = await describeSurroundings({ databaseUrl: postgres.url, issuer, mail, dataFolder });
  const { origin, port } = new URL(around.apiUrl);
  const receiver = await startReceiver(closers);
  const environment: Record<string, string> = {
    ...around.environment,
    ...(await startMoney(origin, closers)),
    ...(await startMailboxProviders(origin, postgres.url, closers)),
    PUBLIC_URL: origin,
    ASSAY_STAGE: 'staging',
    ASSAY_SANDBOX_DNS: mail.dns,
    ASSAY_SANDBOX_RANGES: mail.allowRanges.join(','),
    WEBHOOK_ALLOW_RANGES: '127.0.0.1/32',
    // The races are about credits, not about concurrency limits.
    UPLOADS_PER_CUSTOMER: '50',
    ...surroundings.environment,
  };
  const processes = [await startProcess('api', environment), await startProcess('worker', environment)];
  for (const started of processes) closers.push(() => started.stop());
  const database = openDatabase({
    url: postgres.url,
    poolSize: 4,
    applicationName: 'assay attack',
    onIdleError: () => undefined,
  });
  closers.push(() => database.close());
  const couponCode = 'ATTACK-COUPON';
  await createCoupon(
    { db: database.db, clock: systemClock },
    { code: couponCode, credits: 1, redemptionsMax: null, expiresAt: null },
  );
  return {
    target: { host: '127.0.0.1', port: Number(port) },
    metricsUrl: `http://127.0.0.1:${environment.METRICS_PORT}/metrics`,
    workerMetricsUrl: `http://127.0.0.1:${environment.WORKER_METRICS_PORT}/metrics`,
    environment,
    issuer,
    database,
    couponCode,
    receiverUrl: receiver,
    processes,
  };
}

async function startMail(closers: (() => Promise<unknown>)[]) {
  const mail = await startMailWorld();
  closers.push(() => mail.close());
  return mail;
}

async function startMoney(origin: string, closers: (() => Promise<unknown>)[]) {
  const secretKey = 'sk_test_attack';
  const payments = await startPayments({
    secretKey,
    webhook: { url: `${origin}${API_BASE}${webhookPath}`, secret: stripeWebhookSecret },
  });
  closers.push(() => payments.close());
  await setUpPayments({ secretKey, apiUrl: payments.origin, publicUrl: origin }, () => undefined);
  return {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    STRIPE_API_URL: payments.origin,
  };
}

async function startMailboxProviders(
  origin: string,
  databaseUrl: string,
  closers: (() => Promise<unknown>)[],
) {
  const client = {
    id: 'assay-mailboxes',
    secret: 'a secret of the attack suite',
    redirectUris: [`${origin}${OAUTH_CALLBACK_PATH}`],
    title: 'Assay',
  };
  const { environment, close } = await startMailboxes({ databaseUrl, client });
  closers.push(close);
  return { ...environment.google, ...environment.microsoft };
}

async function startReceiver(closers: (() => Promise<unknown>)[]): Promise<string> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  closers.push(async () => {
    receiver.close();
    receiver.closeAllConnections();
  });
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
}
