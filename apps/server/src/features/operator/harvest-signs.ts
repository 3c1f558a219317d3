/** What the lists of a customer look like, for the signs below. */
export interface ListTraits {
  readonly addresses: number;
  readonly completed: number;
  readonly invalid: number;
  readonly malformed: number;
  readonly accountAgeDays: number;
  /** Of lists, single checks and guesses together: recipients that mail hosts were asked about, and those that they did not know. */
  readonly questions: number;
  readonly unknown: number;
  /** Of the newest list. */
  readonly sample: readonly {
    readonly address: string;
    readonly isRole: boolean;
    readonly isFree: boolean;
  }[];
}

interface HarvestScore {
  readonly score: number;
  readonly reasons: readonly string[];
}

interface Sign {
  readonly points: number;
  readonly reason: string;
}

/** Fewer addresses say nothing. */
const addressesMin = 100;
const questionsMin = 500;
const sampleMin = 50;
const newAccountDays = 7;
const manyAddresses = 10_000;

/**
 * How much lists look like addresses that were harvested or made up, from 0 to 100, with what makes them look so. A high score
 * proves nothing: it tells an operator where to look first.
 */
export function scoreHarvest(traits: ListTraits): HarvestScore {
  const signs = [
    refusedSign(traits),
    ...(traits.addresses < addressesMin
      ? []
      : [invalidSign(traits), malformedSign(traits), newAccountSign(traits)]),
    ...(traits.addresses < addressesMin || traits.sample.length < sampleMin
      ? []
      : sampleSigns(traits.sample)),
  ].filter((sign) => sign !== null);
  const points = signs.reduce((sum, sign) => sum + sign.points, 0);
  return { score: Math.min(100, Math.round(points)), reasons: signs.map(({ reason }) => reason) };
}

/** People who collect addresses themselves have few dead ones; guessed and scraped lists have many. */
function invalidSign({ completed, invalid }: ListTraits): Sign | null {
  const share = completed < addressesMin ? 0 : invalid / completed;
  return share < 0.3 ? null : { points: 60 * share, reason: `${percent(share)} of the results are invalid` };
}

/** Who makes addresses up mostly asks about mailboxes that no host knows, perhaps one by one and never in a list. */
function refusedSign({ questions, unknown }: ListTraits): Sign | null {
  const share = questions < questionsMin ? 0 : unknown / questions;
  if (share < 0.3) return null;
  const asked = questions.toLocaleString('en');
  return { points: 40 * share, reason: `mail hosts did not know ${percent(share)} of ${asked} recipients` };
}

function malformedSign({ addresses, malformed }: ListTraits): Sign | null {
  const share = malformed / (addresses + malformed);
  return share < 0.1 ? null : { points: 10, reason: `${percent(share)} of the cells are no address` };
}

function newAccountSign({ accountAgeDays, addresses }: ListTraits): Sign | null {
  const isNew = accountAgeDays < newAccountDays && addresses >= manyAddresses;
  return isNew
    ? { points: 20, reason: `${addresses.toLocaleString('en')} addresses in the first days` }
    : null;
}

function sampleSigns(sample: ListTraits['sample']): (Sign | null)[] {
  const shareOf = (count: number) => count / sample.length;
  const roles = shareOf(sample.filter(({ isRole }) => isRole).length);
  const ofCompanies = sample.filter(({ isFree }) => !isFree).map(({ address }) => address.split('@'));
  const atOneDomain = shareOf(largestGroup(ofCompanies.map(([, domain = '']) => domain)));
  const sameName = shareOf(largestGroup(ofCompanies.map(([name = '']) => name)));
  return [
    roles < 0.3
      ? null
      : { points: 30 * roles, reason: `${percent(roles)} are addresses of roles, such as info@` },
    atOneDomain < 0.5 ? null : { points: 30, reason: `${percent(atOneDomain)} are at one company` },
    sameName < 0.1
      ? null
      : { points: 25, reason: `${percent(sameName)} have the same name at different domains` },
  ];
}

function largestGroup(texts: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;
