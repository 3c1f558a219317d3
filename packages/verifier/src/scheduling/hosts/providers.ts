import { readFileSync } from 'node:fs';
import type { ShareLimit } from '../../conduct/share-window.ts';
import { wordingOf } from '../../judgement/classify-reply.ts';

/** How a provider wants to be treated: one entry of data/providers.json. */
export interface ProviderPlan {
  name: string;
  /** What customers know it as, if `name` is only a part of it. */
  brand?: string;
  /**
   * Its mail hosts; one `*` in a name stands for anything. Must match no other hosts: a stranger who names them as MX would
   * take up the provider's connections.
   */
  hosts: readonly string[];
  /** The name of a host starts with its region (`eu-smtp-inbound-1`), and each region has limits of its own. */
  hasRegions?: boolean;
  /** Connections at once, to all its hosts together. */
  connections?: number;
  recipientsPerConnection?: number;
  /** How many of its recipients may be unknown; what `unknownOfOthers` says by default. */
  unknown?: ShareLimit;
  /** After a reply with these words, in lower case, the provider rests. */
  rests?: readonly { says: string; minutes: number }[];
}

/** Whoever runs a mail host. Limits hold for all its hosts together. */
export interface Provider {
  readonly name: string;
  /** What customers know it as, if that differs: without the region. */
  readonly brand?: string;
  readonly connections?: number;
  readonly recipientsPerConnection?: number;
  readonly unknown?: ShareLimit;
  /** The limits in words, for the evidence. */
  readonly limit?: string;
  /** How long to leave the provider alone after such a reply; only published providers have this. */
  restAfter?(reply: string): { forMs: number; limit: string } | undefined;
}

const hostsKnownMax = 10_000;
interface PublishedLimits {
  readonly providers: readonly ProviderPlan[];
  readonly unknownOfOthers: ShareLimit;
}

let published: PublishedLimits | undefined;

/** The limits of data/providers.json, which loads at the first mail host. */
function publishedLimits(): PublishedLimits {
  const file = new URL('../../../data/providers.json', import.meta.url);
  published ??= JSON.parse(readFileSync(file, 'utf8')) as PublishedLimits;
  return published;
}

export const publishedProviders = (): readonly ProviderPlan[] => publishedLimits().providers;

export const unknownLimitOf = ({ unknown }: Pick<Provider, 'unknown'>): ShareLimit =>
  unknown ?? publishedLimits().unknownOfOthers;

/** The providers whose limits are published, as customers know them. */
export const publishedBrands = (): ReadonlySet<string> =>
  new Set(publishedProviders().map(({ name, brand = name }) => brand));

/** What holds for a provider, by the name under which its unknown recipients are counted. */
export function providerNamed(name: string): { brand: string | undefined; unknown: ShareLimit } {
  const plan = publishedProviders().find(
    (one) => one.name === name || (one.hasRegions && name.startsWith(`${one.name} `)),
  );
  return { brand: plan && (plan.brand ?? plan.name), unknown: unknownLimitOf(plan ?? {}) };
}

/** Finds the provider of a mail host; one without published limits is the registrable domain of the host's name. */
export function createProviderFinder(
  plans: () => readonly ProviderPlan[],
  registrableDomainOf: (host: string) => string,
): (host: string) => Provider {
  const known = new Map<string, Provider>();
  const providers = new Map<string, Provider>();
  return (host) => {
    const found = known.get(host);
    if (found !== undefined) return found;
    if (known.size >= hostsKnownMax) {
      known.clear();
      providers.clear();
    }
    const plan = plans().find(({ hosts }) => hosts.some((pattern) => isWrittenAs(pattern, host)));
    const name = plan === undefined ? registrableDomainOf(host) : nameOf(plan, host);
    const provider = providers.get(name) ?? (plan === undefined ? { name } : providerOf(plan, name));
    if (plan !== undefined) providers.set(name, provider);
    known.set(host, provider);
    return provider;
  };
}

function isWrittenAs(pattern: string, host: string): boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return host === start;
  return host.length >= pattern.length - 1 && host.startsWith(start) && host.endsWith(end);
}

function nameOf({ name, hasRegions }: ProviderPlan, host: string): string {
  const region = hasRegions ? /^([a-z]{2,4})-/.exec(host)?.[1] : undefined;
  return region === undefined ? name : `${name} ${region}`;
}

function providerOf(
  {
    name: planName,
    brand = planName,
    connections,
    recipientsPerConnection,
    unknown,
    rests = [],
  }: ProviderPlan,
  name: string,
): Provider {
  const limits = [
    connections !== undefined && `${connections} connections`,
    recipientsPerConnection !== undefined && `${recipientsPerConnection} recipients per connection`,
  ].filter((limit) => limit !== false);
  return {
    name,
    ...(brand !== name && { brand }),
    ...(connections !== undefined && { connections }),
    ...(recipientsPerConnection !== undefined && { recipientsPerConnection }),
    ...(unknown !== undefined && { unknown }),
    ...(limits.length > 0 && { limit: `${name} allows ${limits.join(', ')}` }),
    restAfter(reply) {
      const wording = wordingOf(reply);
      const rest = rests.find(({ says }) => wording.includes(says));
      if (rest === undefined) return undefined;
      const limit = `${name} rests ${rest.minutes} min after "${rest.says}"`;
      return { forMs: rest.minutes * 60_000, limit };
    },
  };
}
