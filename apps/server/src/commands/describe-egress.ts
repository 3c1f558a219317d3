import { registrableDomainOf } from '@assay/verifier';
import { isTestDomain } from '../features/engine/index.ts';
import type { EgressConfig, VerifierConfig } from '../platform/config/index.ts';
import { checkEgressOf } from '../processes/check-egress.ts';
import { checkSecurityText } from './doctor/check-security-text.ts';
import type { Finding } from './finding.ts';

/** Everything that a postmaster may look up about an egress address and the names that it gives. */
export async function describeEgress(config: VerifierConfig, egress: EgressConfig): Promise<Finding[]> {
  const domain = registrableDomainOf(egress.helo);
  const isTrial = isTestDomain(domain);
  const [{ findings }, text] = await Promise.all([
    checkEgressOf(config, egress, { asksContacts: !isTrial }),
    checkSecurityText(domain, { allowRanges: config.allowRanges }),
  ]);
  return [...findings, text];
}
