import { createDomainTraits } from '../address/domain-traits.ts';
import { createVerifier } from '../verifier.ts';
import type { EgressCheckOptions, EgressFinding } from './egress-finding.ts';

/** RFC 5321 §4.5.1 obliges every domain to have the first; RFC 2142 names the second for complaints. */
const roles = ['postmaster', 'abuse'] as const;

/** Whether people who meet us can write to us: asks the hosts of the domains that we name, as we would about any address. */
export async function checkContacts(options: EgressCheckOptions): Promise<EgressFinding> {
  const domains = domainsOf(options);
  if (domains.length === 0)
    return { check: 'contacts', status: 'skipped', detail: 'HELO name and sender are not of the internet.' };
  const addresses = domains.flatMap((domain) => roles.map((role) => `${role}@${domain}`));
  const { dns, smtpPort, allowRanges, egress, helo, mailFrom, signal } = options;
  const verifier = createVerifier({ ...(dns && { dns }), smtpPort, allowRanges, egress, helo, mailFrom });
  try {
    const found = await Promise.all(
      addresses.map(async (address) => ({
        address,
        result: (await verifier.verify(address, { patienceMs: 0, ...(signal && { signal }) })).result,
      })),
    );
    const of = (wanted: (typeof found)[number]['result']) =>
      found.filter(({ result }) => result === wanted).map(({ address }) => address);
    const [refused, unknown] = [of('INVALID'), of('UNKNOWN')];
    if (refused.length > 0)
      return {
        check: 'contacts',
        status: 'problem',
        detail: `Nobody can write to ${refused.join(', ')}.`,
        fix: 'Create these mailboxes or aliases, and read them: whoever wants us to stop writes there first.',
      };
    if (unknown.length > 0)
      return {
        check: 'contacts',
        status: 'unclear',
        detail: `The mail hosts did not say whether ${unknown.join(', ')} exist.`,
        fix: 'Send a mail to each of them.',
      };
    return { check: 'contacts', status: 'ok', detail: `${addresses.join(', ')} take mail.` };
  } finally {
    await verifier.close();
  }
}

/** The domains that a postmaster sees: ours by the HELO name, and that of the sender. */
function domainsOf({ helo, mailFrom }: EgressCheckOptions): string[] {
  const ofHelo = createDomainTraits().registrableDomainOf(helo);
  const ofSender = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
  return [...new Set([ofHelo, ofSender])].filter((domain) => domain.includes('.'));
}
