// Used by jobs on reading threads, so this must not load the database.
import { parseAddress } from '@assay/verifier';

/**
 * An address or a domain as suppressions compare it: in lower case, the domain in A-labels, as lists find repeated addresses. Null for
 * a text that is neither. `@example.com` means the domain.
 */
export function readTarget(text: string): string | null {
  const given = text.trim();
  if (given.indexOf('@') > 0) {
    const address = parseAddress(given);
    return address.ok ? address.mailbox.toLowerCase() : null;
  }
  const domain = parseAddress(`a@${given.replace(/^@/, '')}`);
  return domain.ok && domain.domain.includes('.') ? domain.domain : null;
}

/** What is wrong with a text that is no target. */
export const notReadable = 'This is neither an address nor a domain.';

/** A domain has no @, and each address has one. */
export const kindOfTarget = (target: string): 'address' | 'domain' =>
  target.includes('@') ? 'address' : 'domain';

export const domainOfTarget = (target: string): string => target.slice(target.lastIndexOf('@') + 1);
