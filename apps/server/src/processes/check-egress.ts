import { checkEgress, type EgressReport } from '@assay/verifier';
import type { EgressConfig, VerifierConfig } from '../platform/config/index.ts';

/** The health check of a configured egress address. `asksContacts` also looks for the mailboxes that postmasters write to. */
export function checkEgressOf(
  config: VerifierConfig,
  egress: EgressConfig,
  { signal, asksContacts = false }: { readonly signal?: AbortSignal; readonly asksContacts?: boolean } = {},
): Promise<EgressReport> {
  const { dns, smtpPort, allowRanges, targets, blockLists } = config;
  return checkEgress({
    helo: egress.helo,
    mailFrom: egress.mailFrom,
    egress: egress.via,
    address: egress.address ?? undefined,
    ...(dns && { dns: [dns] }),
    smtpPort,
    allowRanges,
    targets,
    blockLists,
    asksContacts,
    signal,
  });
}
