import { createVerifier, type Verifier } from '@assay/verifier';
import { createSharedFacts } from '../features/validations/index.ts';
import type { Config } from '../platform/config/index.ts';
import type { Db } from '../platform/database/database.ts';

// A worker has two engines behind one egress address: one for whoever waits, one for long lists. Together they open as
// many connections as hosts and providers are asked to bear from one address.
const limits = {
  prompt: { connectionsPerHost: 2, connectionsPerProvider: 4 },
  bulk: { connectionsPerHost: 6, connectionsPerProvider: 12 },
} as const;

export function createWorkersVerifier(
  { verifier: { dns, smtpPort, allowRanges, helo, mailFrom } }: Config,
  db: Db,
  work: keyof typeof limits,
): Verifier {
  return createVerifier({
    ...(dns && { dns: [dns] }),
    ...(helo && { helo }),
    ...(mailFrom && { mailFrom }),
    smtpPort,
    allowRanges,
    factStore: createSharedFacts(db),
    limits: limits[work],
  });
}
