import { setImmediate as nextTurn } from 'node:timers/promises';
import { Moments } from './moments.ts';
import { happeningOf, type Outcome } from './outcome.ts';

/** What tells whether two outcomes are one. */
export interface KnownOutcome
  extends Pick<
    Outcome,
    'addressKey' | 'kind' | 'source' | 'sourceId' | 'at' | 'slackSeconds' | 'eventId' | 'eventKey'
  > {
  /** Null if it is not kept yet. */
  readonly number: number | null;
  /** Whether it has words of a host or a person. */
  readonly hasWords: boolean;
}

export interface Sifted {
  /** New ones, in the order in which they came. */
  readonly added: Outcome[];
  /** Kept ones that a new one replaces, because it says more of the same event. */
  readonly replaced: number[];
}

const siftedPerTurn = 200;

/**
 * Keeps each event once, whatever way it comes and in whatever order: of several reports of one event, the one that knows its
 * time best stays, then one with the sender's id, then one with the words of the host. Takes those that say most first, so that
 * each is only looked up among those that stay: thousands of one address cost no more than of thousands.
 */
export async function siftOutcomes(
  outcomes: readonly Outcome[],
  kept: readonly KnownOutcome[],
): Promise<Sifted> {
  const reports = outcomes.map((outcome) => ({
    ...outcome,
    number: null,
    hasWords: outcome.words !== outcome.rule,
  }));
  const staying = new KnownEvents();
  const added = new Set<KnownOutcome>();
  const addedEvents = new KnownEvents();
  const replaced: number[] = [];
  for (const [index, one] of thoseThatSayMostFirst([...kept, ...reports]).entries()) {
    if (index % siftedPerTurn === siftedPerTurn - 1) await nextTurn();
    if (one.number === null) {
      if (staying.has(one)) continue;
      added.add(one);
      addedEvents.add(one);
    } else if (addedEvents.has(one)) {
      replaced.push(one.number);
      continue;
    }
    staying.add(one);
  }
  return { added: outcomes.filter((_, index) => added.has(reports[index] as KnownOutcome)), replaced };
}

/**
 * In their order where they say as much, so kept ones before reports. In groups, because to compare tens of thousands with each other
 * would block the process.
 */
function thoseThatSayMostFirst(all: readonly KnownOutcome[]): KnownOutcome[] {
  const groups = Map.groupBy(all, rankOf);
  const ranks = [...groups.keys()].sort((one, other) => one - other);
  return ranks.flatMap((rank) => groups.get(rank) ?? []);
}

/** Lower for those that say more of an event. */
const rankOf = ({ slackSeconds, eventId, hasWords }: KnownOutcome): number =>
  4 * slackSeconds + (eventId === null ? 2 : 0) + (hasWords ? 0 : 1);

/** Events to look reports up in. Each report has a time as exact as those before it, or less exact. */
class KnownEvents {
  readonly #eventKeys = new Set<number>();
  /** Null is a report without an id. An account has few senders. */
  readonly #senders = new Set<string | null>();
  /** By address, happening and sender. */
  readonly #moments = new Map<string, Moments>();

  add(one: KnownOutcome): void {
    if (one.eventKey !== null) this.#eventKeys.add(one.eventKey);
    const sender = senderOf(one);
    this.#senders.add(sender);
    const key = keyOf(one, sender);
    const moments = this.#moments.get(key);
    if (moments) moments.add(one.at.getTime());
    else this.#moments.set(key, new Moments(one.at.getTime()));
  }

  has(one: KnownOutcome): boolean {
    if (one.eventKey !== null && this.#eventKeys.has(one.eventKey)) return true;
    const ownSender = senderOf(one);
    for (const sender of this.#senders) {
      // A sender gives each of its events another id.
      if (sender !== null && sender === ownSender) continue;
      const moments = this.#moments.get(keyOf(one, sender));
      if (moments?.hasWithin(one.at.getTime(), one.slackSeconds * 1_000)) return true;
    }
    return false;
  }
}

const keyOf = ({ addressKey, kind }: KnownOutcome, sender: string | null): string =>
  `${addressKey} ${happeningOf(kind)} ${sender}`;

const senderOf = ({ source, sourceId, eventId }: KnownOutcome): string | null =>
  eventId === null ? null : `${source} ${sourceId}`;
