import { setImmediate as nextTurn } from 'node:timers/promises';
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

const comparedPerTurn = 20_000;

/**
 * Keeps each event once, whatever way it comes and in whatever order: of several reports of one event, the one that knows its
 * time best stays, then one with the sender's id, then one with the words of the host.
 */
export async function siftOutcomes(
  outcomes: readonly Outcome[],
  kept: readonly KnownOutcome[],
): Promise<Sifted> {
  const byAddress = Map.groupBy(kept, ({ addressKey }) => addressKey);
  const added = new Map<KnownOutcome, Outcome>();
  const replaced: number[] = [];
  let compared = 0;
  for (const outcome of outcomes) {
    const known = byAddress.get(outcome.addressKey) ?? [];
    const one: KnownOutcome = { ...outcome, number: null, hasWords: outcome.words !== outcome.rule };
    compared += known.length;
    if (compared > comparedPerTurn) {
      compared = 0;
      await nextTurn();
    }
    const same = known.filter((other) => isSame(one, other));
    if (same.some((other) => !saysMore(one, other))) continue;
    for (const other of same) {
      if (other.number !== null) replaced.push(other.number);
      added.delete(other);
    }
    added.set(one, outcome);
    const others = same.length === 0 ? known : known.filter((other) => !same.includes(other));
    others.push(one);
    byAddress.set(outcome.addressKey, others);
  }
  return { added: [...added.values()], replaced };
}

function isSame(one: KnownOutcome, other: KnownOutcome): boolean {
  if (one.eventKey !== null && one.eventKey === other.eventKey) return true;
  if (happeningOf(one.kind) !== happeningOf(other.kind)) return false;
  // A sender gives each of its events another id.
  const isOfOneSender = one.source === other.source && one.sourceId === other.sourceId;
  if (isOfOneSender && one.eventId !== null && other.eventId !== null) return false;
  const apartMs = Math.abs(one.at.getTime() - other.at.getTime());
  return apartMs <= Math.max(one.slackSeconds, other.slackSeconds) * 1_000;
}

function saysMore(one: KnownOutcome, other: KnownOutcome): boolean {
  if (one.slackSeconds !== other.slackSeconds) return one.slackSeconds < other.slackSeconds;
  if ((one.eventId === null) !== (other.eventId === null)) return one.eventId !== null;
  return one.hasWords && !other.hasWords;
}
