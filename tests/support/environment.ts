import { randomBytes } from 'node:crypto';
import { freePort } from '@assay/postgres/testing/free-port';
import type { TestIssuer } from '../../apps/server/src/testing/issuer.ts';

/** The environment of the product's processes. */
export async function describeSurroundings(around: {
  readonly databaseUrl: string;
  /** Where `databaseUrl` leads to a pooler. */
  readonly directUrl?: string;
  readonly issuer: TestIssuer;
  readonly mail: { readonly dns: string; readonly allowRanges: readonly string[] };
  readonly dataFolder: string;
}): Promise<{ apiUrl: string; environment: Record<string, string> }> {
  const port = await freePort();
  const environment = {
    DATABASE_URL: around.databaseUrl,
    ...(around.directUrl && { DATABASE_DIRECT_URL: around.directUrl }),
    OIDC_ISSUER: around.issuer.url,
    OIDC_AUDIENCE: around.issuer.audience,
    ASSAY_SECRET: randomBytes(32).toString('hex'),
    ASSAY_DATA: around.dataFolder,
    ASSAY_DNS: around.mail.dns,
    ASSAY_ALLOW_RANGES: around.mail.allowRanges.join(','),
    ASSAY_HELO: 'worker.assay.test',
    ASSAY_EGRESS_TARGETS: 'none',
    ASSAY_BLOCK_LISTS: 'none',
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
    WORKER_METRICS_PORT: String(await freePort()),
    // Limits of strangers are not the subject of these tests.
    FREE_CREDITS_PER_DOMAIN: '1000000',
    RATE_LIMIT_PER_CUSTOMER: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    CONNECTIONS_PER_ADDRESS: '100000',
  };
  return { apiUrl: `http://127.0.0.1:${port}/api`, environment };
}
