import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { API_BASE } from '@assay/contract';
import { startPayments } from '@assay/stand-ins/payments';
import { setUpPayments, webhookPath } from '../../src/features/billing/set-up.ts';
import { ensureKept } from '../../src/platform/files/kept-file.ts';
import { type LocalSettings, portOffsets } from './settings.ts';

export interface EmbeddedPayments {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the payments stand-in beside the product, with its plans and portal set up and its webhook pointing here. */
export async function startEmbeddedPayments(
  settings: LocalSettings,
  databaseUrl: string,
): Promise<EmbeddedPayments> {
  const { dataFolder, host, port, publicUrl } = settings;
  const ownPort = port + portOffsets.payments;
  const [secretKey, webhookSecret] = await Promise.all([
    ensureKept(join(dataFolder, 'payments-key'), () => `sk_test_${randomBytes(24).toString('hex')}`),
    ensureKept(join(dataFolder, 'payments-webhook-secret'), () => `whsec_${randomBytes(24).toString('hex')}`),
  ]);
  const payments = await startPayments({
    host,
    port: ownPort,
    publicUrl: `http://localhost:${ownPort}`,
    secretKey,
    databaseUrl,
    // By the local address: the public one may be that of a proxy which is not up yet.
    webhook: { url: `http://localhost:${port}${API_BASE}${webhookPath}`, secret: webhookSecret },
  });
  try {
    await setUpPayments({ secretKey, apiUrl: payments.origin, publicUrl }, () => undefined);
  } catch (error) {
    await payments.close();
    throw error;
  }
  const environment = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: payments.origin,
  };
  return { environment, close: () => payments.close() };
}
