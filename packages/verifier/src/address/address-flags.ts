import { entriesOf, isListedDisposable } from './domain-lists.ts';

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

/** An address with what is known about its domain. */
interface KnownAddress {
  readonly local: string;
  readonly domain: { readonly isDisposable: boolean; readonly isFreeProvider: boolean };
}

/** How we know each flag of an address. None of them changes the verdict. The contract has their bits and words. */
const flagSources = {
  disposable: ({ domain }) => domain.isDisposable,
  role: ({ local }) => isRoleName(local),
  free_provider: ({ domain }) => domain.isFreeProvider,
  plus_tag: ({ local }) => hasPlusTag(local),
} satisfies Record<string, (address: KnownAddress) => boolean>;

export type AddressFlags = Readonly<Record<keyof typeof flagSources, boolean>>;

const sources = Object.entries(flagSources);

/** Every combination once, shared by all findings: a list has millions of them. */
const combinations = Array.from({ length: 2 ** sources.length }, (_, bits) =>
  Object.freeze(
    Object.fromEntries(sources.map(([flag], index) => [flag, (bits & (1 << index)) > 0])) as AddressFlags,
  ),
);

export const noFlags = combinations[0] as AddressFlags;

export function flagsOf(address: KnownAddress): AddressFlags {
  const bits = sources.reduce((sum, [, isTrueOf], index) => sum | (isTrueOf(address) ? 1 << index : 0), 0);
  return combinations[bits] as AddressFlags;
}

/** The flags of an address whose mail host was not looked up. */
export const listedFlagsOf = ({ local, domain }: { readonly local: string; readonly domain: string }) =>
  flagsOf({
    local,
    domain: { isDisposable: isDisposableDomain(domain), isFreeProvider: isFreeProviderDomain(domain) },
  });
