import { setImmediate as nextTurn } from 'node:timers/promises';
import { slack } from './outcome.ts';

/** A check with a result. */
export interface FoundCheck {
  /** Which of the addresses that were asked for. */
  readonly index: number;
  /** Of the list, or of a single check, whose row number is 0. */
  readonly checkId: string;
  readonly rowNumber: number;
  readonly isOfList: boolean;
  readonly checkedAt: Date;
}

export interface OutcomeToMatch {
  readonly number: number;
  readonly at: Date;
  readonly slackSeconds: number;
  readonly listId: string | null;
}

export interface Match {
  readonly number: number;
  readonly check: FoundCheck;
}

/** An older check says too little about the mailbox at the time of the event. */
export const checkAgeMsMax = 180 * 86_400_000;

/** Finds the newest check before each outcome of one address. */
export interface NewestBefore {
  readonly outcomeCount: number;
  add(check: FoundCheck): void;
  matches(): Iterable<Match>;
}

const outcomesPerPart = 2_000;

/** All of hundreds of thousands of outcomes may be of one address: sorting them at once would block the process. */
export async function newestInParts(outcomes: readonly OutcomeToMatch[]): Promise<NewestBefore[]> {
  const parts: NewestBefore[] = [];
  for (let start = 0; start < outcomes.length; start += outcomesPerPart) {
    if (start > 0) await nextTurn();
    parts.push(newestBefore(outcomes.slice(start, start + outcomesPerPart)));
  }
  return parts;
}

/** Nearly all addresses have one outcome. There may be hundreds of thousands, so those take little memory. */
export const newestBefore = (outcomes: readonly OutcomeToMatch[]): NewestBefore => {
  const [first, ...others] = outcomes;
  return first && others.length === 0 ? new OneOutcome(first) : new SeveralOutcomes(outcomes);
};

class OneOutcome implements NewestBefore {
  readonly outcomeCount = 1;
  readonly #outcome: OutcomeToMatch;
  #newest: FoundCheck | undefined;

  constructor(outcome: OutcomeToMatch) {
    this.#outcome = outcome;
  }

  add(check: FoundCheck): void {
    const { listId } = this.#outcome;
    if (listId !== null && !(check.isOfList && check.checkId === listId)) return;
    if (check.checkedAt.getTime() < latestOf(this.#outcome) && isNewer(check, this.#newest))
      this.#newest = check;
  }

  *matches(): Generator<Match> {
    const { number, at } = this.#outcome;
    if (this.#newest && isYoungEnough(this.#newest, at)) yield { number, check: this.#newest };
  }
}

/** Does not compare all checks with all outcomes. */
class SeveralOutcomes implements NewestBefore {
  readonly outcomeCount: number;
  /** By the list that they are about; null for those about all checks. */
  readonly #timelines: Map<string | null, Timeline>;

  constructor(outcomes: readonly OutcomeToMatch[]) {
    this.outcomeCount = outcomes.length;
    const byList = Map.groupBy(outcomes, ({ listId }) => listId);
    this.#timelines = new Map([...byList].map(([listId, some]) => [listId, new Timeline(some)]));
  }

  add(check: FoundCheck): void {
    this.#timelines.get(null)?.add(check);
    if (check.isOfList) this.#timelines.get(check.checkId)?.add(check);
  }

  *matches(): Generator<Match> {
    for (const timeline of this.#timelines.values()) yield* timeline.matches();
  }
}

class Timeline {
  /** The earliest first. */
  readonly #outcomes: readonly OutcomeToMatch[];
  readonly #latest: readonly number[];
  /** The newest check before an outcome that is not before the outcome in front of it. */
  readonly #newest = new Map<number, FoundCheck>();

  constructor(outcomes: readonly OutcomeToMatch[]) {
    this.#outcomes = [...outcomes].sort((one, other) => latestOf(one) - latestOf(other));
    this.#latest = this.#outcomes.map(latestOf);
  }

  add(check: FoundCheck): void {
    const place = this.#firstAfter(check.checkedAt.getTime());
    if (place < this.#latest.length && isNewer(check, this.#newest.get(place)))
      this.#newest.set(place, check);
  }

  *matches(): Generator<Match> {
    let newest: FoundCheck | undefined;
    for (const [place, { number, at }] of this.#outcomes.entries()) {
      const check = this.#newest.get(place);
      if (check && isNewer(check, newest)) newest = check;
      if (newest && isYoungEnough(newest, at)) yield { number, check: newest };
    }
  }

  /** The place of the first outcome that was after a moment. */
  #firstAfter(moment: number): number {
    let [low, high] = [0, this.#latest.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#latest[middle] as number) > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const isYoungEnough = ({ checkedAt }: FoundCheck, at: Date): boolean =>
  checkedAt.getTime() >= at.getTime() - checkAgeMsMax;

/** An event of a second, minute or day may be from its end. A mail is written after the event. */
const latestOf = ({ at, slackSeconds }: OutcomeToMatch): number =>
  at.getTime() + (slackSeconds === slack.mail ? 1 : Math.max(slackSeconds, 1)) * 1_000;

/** Two checks of the same moment: any, but always the same. */
function isNewer(check: FoundCheck, other: FoundCheck | undefined): boolean {
  if (other === undefined) return true;
  const apart = check.checkedAt.getTime() - other.checkedAt.getTime();
  if (apart !== 0) return apart > 0;
  if (check.checkId !== other.checkId) return check.checkId > other.checkId;
  return check.rowNumber > other.rowNumber;
}
