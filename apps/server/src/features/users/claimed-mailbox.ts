import { isDisposableDomain, isFreeProviderDomain, registrableDomainOf } from '@assay/verifier';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { ClaimedMailbox } from '../billing/index.ts';
import { canonicalMailbox, domainOf, formerMailboxes } from './address-equality.ts';

// Parts of the stored hashes: changing the first would grant all opening credits again.
const mailboxPurpose = 'free-credits mailbox';
const domainPurpose = 'free-credits domain';

/** Providers on our lists that give a person any number of addresses. */
const relays = new Set(['duck.com']);

/** The mailbox of a verified address, and where it is, as billing counts them. */
export function claimedMailboxOf(address: string, secrets: Secrets): ClaimedMailbox {
  const mailbox = canonicalMailbox(address);
  const former = formerMailboxes(address).flatMap((spelling) =>
    secrets.keyedHashes(mailboxPurpose, spelling),
  );
  return {
    mailboxHashes: [...secrets.keyedHashes(mailboxPurpose, mailbox), ...former],
    place: placeOf(domainOf(mailbox), secrets),
  };
}

function placeOf(domain: string, secrets: Secrets): ClaimedMailbox['place'] {
  if (isDisposableDomain(domain)) return 'disposable';
  if (isFreeProviderDomain(domain) && !relays.has(domain)) return 'provider';
  // Its owner can make up names below it, too.
  return { domainHashes: secrets.keyedHashes(domainPurpose, registrableDomainOf(domain)) };
}
