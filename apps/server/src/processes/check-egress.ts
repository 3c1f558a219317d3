import { hostname } from 'node:os';
import { checkEgress, type EgressReport } from '@assay/verifier';
import type { VerifierConfig } from '../platform/config/index.ts';

/** The health check of the configured egress address. */
export function checkEgressOf(config: VerifierConfig): Promise<EgressReport> {
  const { dns, smtpPort, allowRanges, health } = config;
  const helo = config.helo ?? hostname();
  return checkEgress({
    helo,
    mailFrom: config.mailFrom ?? `verify@${helo}`,
    ...(dns && { dns: [dns] }),
    smtpPort,
    allowRanges,
    ...health,
    address: health.address ?? undefined,
  });
}
