import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const domainsMax = 10_000;
const domains = new Map<string, string>();
let getDomain: typeof import('tldts').getDomain | undefined;

/** The registrable domain of a mail host's name, which usually stands for its provider. */
export function registrableDomainOf(host: string): string {
  const known = domains.get(host);
  if (known !== undefined) return known;
  // Loads at the first mail host: many runs end earlier, at syntax or DNS.
  getDomain ??= (require('tldts') as typeof import('tldts')).getDomain;
  const domain = getDomain(host, { extractHostname: false }) ?? host;
  if (domains.size > domainsMax) domains.clear();
  domains.set(host, domain);
  return domain;
}
