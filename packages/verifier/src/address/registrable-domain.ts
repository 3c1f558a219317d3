import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const domainsMax = 10_000;
const domains = new Map<string, string>();
let loaded: typeof import('tldts') | undefined;

/** Loads the public suffix list at the first question: many runs end earlier, at syntax or DNS. */
function suffixes(): typeof import('tldts') {
  loaded ??= require('tldts') as typeof import('tldts');
  return loaded;
}

/** The registrable domain of a mail host's name, which usually stands for its provider. */
export function registrableDomainOf(host: string): string {
  const known = domains.get(host);
  if (known !== undefined) return known;
  const domain = suffixes().getDomain(host, { extractHostname: false }) ?? host;
  if (domains.size > domainsMax) domains.clear();
  domains.set(host, domain);
  return domain;
}

/** Whether a registry lets people register domains below this name: `com`, `co.uk`. */
export function isPublicSuffix(ending: string): boolean {
  const { publicSuffix, isIcann } = suffixes().parse(`any-label.${ending}`, { extractHostname: false });
  return isIcann === true && publicSuffix === ending;
}

/** The same, or a company does: `eu.org`, `ddns.net`. A domain below says nothing about its neighbours. */
export const isSharedSuffix = (name: string): boolean =>
  suffixes().getPublicSuffix(`any-label.${name}`, { extractHostname: false, allowPrivateDomains: true }) ===
  name;
