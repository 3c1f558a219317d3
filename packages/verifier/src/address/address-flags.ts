import { entriesOf, isListedDisposable } from './domain-lists.ts';

/** What can be said of an address without asking anyone. None of it changes the verdict. */
export interface AddressFlags {
  /** The domain gives out mailboxes meant to be thrown away. */
  isDisposable: boolean;
  /** The name stands for a function (info@, sales@) and not for a person. */
  isRole: boolean;
  /** Anyone can have a mailbox at this domain for nothing. */
  isFreeProvider: boolean;
  /** The name carries a tag after a plus sign. */
  hasPlusTag: boolean;
}

/** Whether our lists name the domain as disposable. */
export function isDisposableDomain(domain: string): boolean {
  // Lists name the registered domain; throw-away services also hand out names below it.
  for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
    if (isListedDisposable(name)) return true;
    if (name.indexOf('.') === name.lastIndexOf('.')) return false;
  }
}

export const isFreeProviderDomain = (domain: string): boolean => entriesOf('provider').has(domain);

/** Whether a domain has lasting mailboxes, whatever lists of disposable domains say. */
export const isOrdinaryDomain = (domain: string): boolean =>
  isFreeProviderDomain(domain) || entriesOf('ordinary').has(domain);

export function isRoleName(local: string): boolean {
  const name = local.toLowerCase();
  const plus = name.indexOf('+');
  return entriesOf('role').has(plus > 0 ? name.slice(0, plus) : name);
}

export const hasPlusTag = (local: string): boolean => local.indexOf('+') > 0 && !local.startsWith('"');

/** The flags of an address whose mail host was not looked up. */
export const flagsOf = ({
  local,
  domain,
}: {
  readonly local: string;
  readonly domain: string;
}): AddressFlags => ({
  isDisposable: isDisposableDomain(domain),
  isRole: isRoleName(local),
  isFreeProvider: isFreeProviderDomain(domain),
  hasPlusTag: hasPlusTag(local),
});
