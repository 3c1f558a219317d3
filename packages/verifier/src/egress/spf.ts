import { BlockList, isIPv6 } from 'node:net';
import type { EgressDns } from './egress-dns.ts';

/** Whether the domain allows the address to send: `unclear` where a record uses macros or is broken. */
export type SpfResult = 'pass' | 'fail' | 'none' | 'unclear';

// RFC 7208 §4.6.4: more lookups than this make the whole record an error.
const lookupsMax = 10;

/** Evaluates the SPF record (RFC 7208) of a sender's domain for one address. */
export async function checkSpf(domain: string, ip: string, dns: EgressDns): Promise<SpfResult> {
  const budget = { left: lookupsMax };
  return evaluate(domain, ip, dns, budget);
}

async function evaluate(
  domain: string,
  ip: string,
  dns: EgressDns,
  budget: { left: number },
): Promise<SpfResult> {
  const records = (await dns.texts(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  if (records.length === 0) return 'none';
  if (records.length > 1) return 'unclear';
  const terms = (records[0] ?? '').toLowerCase().split(' ').slice(1).filter(Boolean);
  for (const term of terms.filter((term) => !term.includes('='))) {
    const qualifier = /^[+~?-]/.test(term) ? term.charAt(0) : '+';
    const match = await matches(term.replace(/^[+~?-]/, ''), domain, ip, dns, budget);
    if (match === 'unclear') return 'unclear';
    if (match) return qualifier === '+' ? 'pass' : 'fail';
  }
  const redirect = terms.find((term) => term.startsWith('redirect='))?.slice('redirect='.length);
  if (redirect === undefined) return 'fail';
  if (redirect.includes('%') || --budget.left < 0) return 'unclear';
  return evaluate(redirect, ip, dns, budget);
}

async function matches(
  term: string,
  domain: string,
  ip: string,
  dns: EgressDns,
  budget: { left: number },
): Promise<boolean | 'unclear'> {
  const end = term.search(/[:/]/);
  const mechanism = end < 0 ? term : term.slice(0, end);
  if (mechanism === 'all') return true;
  if (mechanism === 'ip4' || mechanism === 'ip6') return isInRange(ip, term.slice(end + 1));
  if (term.includes('%') || !['a', 'mx', 'include'].includes(mechanism)) return 'unclear';
  if (--budget.left < 0) return 'unclear';
  const { name, prefix } = targetOf(term, domain);
  if (mechanism === 'include') {
    const included = await evaluate(name, ip, dns, budget);
    return included === 'none' ? 'unclear' : included === 'unclear' ? included : included === 'pass';
  }
  const hosts = mechanism === 'a' ? [name] : (await dns.mailHosts(name)).slice(0, lookupsMax);
  const addresses = (await Promise.all(hosts.map((host) => dns.addresses(host)))).flat();
  return addresses.some((address) => isInRange(ip, `${address}${prefix}`));
}

/** `a`, `a/24`, `mx:example.com`, `mx:example.com/24`. */
function targetOf(term: string, domain: string): { name: string; prefix: string } {
  const [, name = '', prefix = ''] = /^[a-z0-9]+:?([^/]*)(\/\d+)?/.exec(term) ?? [];
  return { name: name === '' ? domain : name, prefix };
}

function isInRange(ip: string, range: string): boolean {
  const [network = '', prefix] = range.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (isIPv6(ip) !== (family === 'ipv6')) return false;
  const list = new BlockList();
  try {
    list.addSubnet(network, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  } catch {
    return false;
  }
  return list.check(ip, family);
}
