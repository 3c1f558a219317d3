// The world of the verifier's bench: 212 domains on 43 hosts, 40% of the addresses at one provider, 5% at hosts without
// PIPELINING.

import { createRandom } from '../../support/random.ts';

export type Result = 'VALID' | 'INVALID' | 'CATCH_ALL';

const providerHostCount = 4;
const providerDomainCount = 40;
const otherHostCount = 36;
const otherDomainCount = 160;
const plainHostCount = 3;
const plainDomainCount = 12;
const providerShare = 0.4;
const plainShare = 0.05;
// Some domains are catch-all: 8.5% of the addresses.
const catchAllDomains = {
  provider: new Set([7, 17, 27]),
  other: new Set([5, 18, 31, 44, 57, 70, 83, 96, 109, 122, 135, 142, 148, 155]),
};

interface BenchDomain {
  name: string;
  hosts: string[];
  isCatchAll: boolean;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const providerHosts = range(providerHostCount).map((index) => `mx${index + 1}.large-provider.test`);
const plainHosts = range(plainHostCount).map((index) => `mx.plain-host-${index + 1}.test`);
const otherHosts = range(otherHostCount).map((index) => `mx.small-host-${index + 1}.test`);

const providerDomains: BenchDomain[] = range(providerDomainCount).map((index) => ({
  name: `customer-${index}.test`,
  hosts: providerHosts,
  isCatchAll: catchAllDomains.provider.has(index),
}));
const otherDomains: BenchDomain[] = range(otherDomainCount).map((index) => ({
  name: `company-${index}.test`,
  hosts: [otherHosts[index % otherHostCount] ?? ''],
  isCatchAll: catchAllDomains.other.has(index),
}));

const plainDomains: BenchDomain[] = range(plainDomainCount).map((index) => ({
  name: `workshop-${index}.test`,
  hosts: [plainHosts[index % plainHostCount] ?? ''],
  isCatchAll: false,
}));

/** Whether a host takes several commands at a time. */
export const pipelines = (host: string): boolean => !plainHosts.includes(host);

export function renderZone(): string {
  const hosts = [...providerHosts, ...otherHosts, ...plainHosts].map((name) =>
    pipelines(name) ? `host ${name}` : `host ${name} lacks PIPELINING`,
  );
  const domains = [...providerDomains, ...otherDomains, ...plainDomains].map(
    ({ name, hosts: exchanges, isCatchAll }) => {
      const mx = exchanges.map((exchange) => `10:${exchange}`).join(' ');
      return `domain ${name} mx ${mx}; ${isCatchAll ? 'catch-all' : 'accepts staff.*'}`;
    },
  );
  return [...hosts, ...domains].join('\n');
}

const slowHostCount = 8;
const slowDomainCount = 32;

/** Hosts that take one command at a time, so that their replies limit the rate, not the machine that runs the bench. */
export function renderSlowZone(): string {
  const hosts = range(slowHostCount).map((index) => `host mx.slow-host-${index}.test lacks PIPELINING`);
  const domains = range(slowDomainCount).map(
    (index) => `domain slow-${index}.test mx 10:mx.slow-host-${index % slowHostCount}.test; accepts staff.*`,
  );
  return [...hosts, ...domains].join('\n');
}

/** Distinct addresses, alternating between the slow domains. */
export const slowAddresses = (count: number): string[] =>
  range(count).map((index) => `staff.${index.toString(36)}@slow-${index % slowDomainCount}.test`);

export interface BenchAddress {
  email: string;
  /** The host that the bare client asks. */
  host: string;
  expected: Result;
}

const domainsFor = (place: number): BenchDomain[] => {
  if (place < plainShare) return plainDomains;
  return place < plainShare + providerShare ? providerDomains : otherDomains;
};

/** Distinct addresses with mixed domains, as in customers' lists; the same in every run. */
export function* generateAddresses(count: number): Generator<BenchAddress> {
  const { share: random } = createRandom(20_261_115);
  for (let index = 0; index < count; index += 1) {
    const domains = domainsFor(random());
    const domain = domains[Math.floor(random() * domains.length)];
    if (!domain) continue;
    const exists = random() < 0.6;
    const email = `${exists ? 'staff' : 'former'}.${(index * 7919).toString(36)}@${domain.name}`;
    const expected = domain.isCatchAll ? 'CATCH_ALL' : exists ? 'VALID' : 'INVALID';
    yield { email, host: domain.hosts[index % domain.hosts.length] ?? '', expected };
  }
}
