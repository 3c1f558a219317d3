import type { Clock } from '../clock.ts';
import {
  allowedOf,
  type CustomerKind,
  type ShareGrant,
  type ShareLimit,
  type ShareReport,
} from './share-window.ts';

/** Where slots come from: this process alone, or a table that all workers share. */
export interface ShareLedger {
  /** Whether others take slots from it too, so that unused ones must be given back. */
  readonly isShared: boolean;
  exchange(provider: string, limit: ShareLimit, report: ShareReport): ShareGrant | Promise<ShareGrant>;
}

/** What a provider said about a recipient, as far as its limits are concerned. */
export type AnswerKind = 'accepted' | 'unknown' | 'blocked' | 'other';

/** A shared ledger is asked for slots that were not there at most this often, and hears of answers within this time. */
const reportMs = 500;
/** Without an answer of the ledger for longer, we stop to use its slots: it will count them as spent. */
const ledgerAwayMs = 20_000;
/** Where everything is spent, others may make room sooner than time does. */
const retryFullMs = 60_000;
/** Answers between two reports are at most this part of a window. */
const reportsPerWindow = 20;
/**
 * A worker asks a provider with a wide limit about a few recipients without asking the table: at most this part of the limit may be
 * unknown before it does. Most hosts of a list are small ones, and an exchange for each would cost more than the questions.
 */
const unsharedPart = 0.01;
const wideLimit = 1_000;
const unbounded = { slots: Number.POSITIVE_INFINITY };
/** Questions of our own, which confirm answers that we have, find this many slots. */
const controlSlotsMax = 4;

/**
 * The turnstile in front of one provider, from one egress address: every recipient passes it before it is asked about, ours
 * included. It lets no more through than may turn out unknown within the provider's limit.
 */
export class ProviderGate {
  readonly provider: string;
  readonly limit: ShareLimit;
  readonly #ledger: ShareLedger;
  readonly #clock: Clock;
  #grant: ShareGrant;
  #slots = 0;
  #openCount = 0;
  #asked = 0;
  #unknown = 0;
  #blocked = 0;
  #askedOf: Record<string, number> = {};
  #unknownOf: Record<string, number> = {};
  #isExchanging = false;
  #exchangedAt = Number.NEGATIVE_INFINITY;
  #grantedAt = Number.NEGATIVE_INFINITY;
  /** Whether the ledger granted less than we wanted. */
  #isShort = false;
  /** The most open questions since the last report, and how many more were wanted. */
  #peakCount = 0;
  #wantedCount = 0;
  readonly #waiting = new Set<() => void>();
  #stopTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(provider: string, limit: ShareLimit, ledger: ShareLedger, clock: Clock) {
    this.provider = provider;
    this.limit = limit;
    this.#ledger = ledger;
    this.#clock = clock;
    const allowed = allowedOf(limit);
    this.#grant = {
      slots: 0,
      fairSlots: Number.POSITIVE_INFINITY,
      roomOf: { new: unbounded, dirty: unbounded },
      kindOf: {},
      allowed,
      isEasedUp: false,
    };
    if (ledger.isShared && allowed >= wideLimit) this.#slots = Math.floor(allowed * unsharedPart);
  }

  /** How many recipients may be asked about now, up to as many as wanted. */
  room(wanted: number): number {
    this.#wantedCount = Math.max(this.#wantedCount, wanted);
    if (this.#isLedgerAway) {
      this.#exchangeIfDue(wanted);
      return 0;
    }
    if (this.#ordinaryRoom < wanted) this.#exchangeIfDue(wanted);
    if (this.#isResting) return 0;
    return Math.min(wanted, Math.max(0, this.#ordinaryRoom));
  }

  /** Whether one question of our own may be asked now, from the slots that are kept for them. */
  get hasRoomForControl(): boolean {
    if (this.#slots <= this.#used) this.#exchangeIfDue(1);
    return this.#slots > this.#used && !this.#isLedgerAway && !this.#isResting;
  }

  /** How many recipients of this customer may be asked about now, of those for whom there is room. */
  roomOf(customer: string): number {
    const room = this.#roomFor(customer);
    if (room > 0 || this.#asked === 0) return room;
    // What was answered since the last report may make room, or show that this customer is of another kind.
    if (!this.#ledger.isShared || this.#clock.now() - this.#exchangedAt >= reportMs) this.#exchangeIfDue(1);
    return this.#roomFor(customer);
  }

  #roomFor(customer: string): number {
    const kind = this.#kindOf(customer);
    if (kind === 'clean') return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#grant.roomOf[kind].slots - this.#used);
  }

  #kindOf(customer: string): CustomerKind {
    // Our own questions confirm answers that others wait for.
    return customer === '' ? 'clean' : (this.#grant.kindOf[customer] ?? 'new');
  }

  /** When slots come back for this customer, if all are spent and no open question can bring one back. */
  fullUntil(customer: string): number | undefined {
    const kind = this.#kindOf(customer);
    const ofKindMs = kind === 'clean' ? 0 : (this.#grant.roomOf[kind].fullForMs ?? 0);
    const forMs = Math.max(this.#grant.fullForMs ?? 0, ofKindMs);
    const until = this.#grantedAt + forMs;
    return forMs > 0 && until > this.#clock.now() ? until : undefined;
  }

  /** The limit in force, in words for the evidence. */
  get words(): string {
    const { recipients } = this.limit;
    const { allowed, isEasedUp } = this.#grant;
    const lowered = isEasedUp ? ', and fewer for a while after it blocked us' : '';
    return `at most ${allowed} of ${recipients} recipients that ${this.provider} may not know${lowered}`;
  }

  /** These recipients are asked about now. */
  take(count: number): void {
    this.#openCount += count;
    this.#peakCount = Math.max(this.#peakCount, this.#openCount);
  }

  /** The provider answered about one of them. */
  note(answer: AnswerKind, customer: string): void {
    this.#openCount -= 1;
    this.#asked += 1;
    if (customer !== '') this.#askedOf[customer] = (this.#askedOf[customer] ?? 0) + 1;
    if (answer === 'unknown') {
      this.#unknown += 1;
      if (customer !== '') this.#unknownOf[customer] = (this.#unknownOf[customer] ?? 0) + 1;
    } else if (answer === 'blocked') this.#blocked += 1;
    this.#onAnswered();
  }

  /** These will have no answer. The provider may have counted them all the same. */
  drop(count: number): void {
    if (count === 0) return;
    this.#openCount -= count;
    this.#asked += count;
    this.#onAnswered();
  }

  /** This one was not asked after all. */
  giveBack(): void {
    this.#openCount -= 1;
    this.#wakeIfRoom();
  }

  #onAnswered(): void {
    if (this.#asked >= this.limit.recipients / reportsPerWindow) this.#exchangeIfDue(0);
    else if (this.#ledger.isShared && this.#hasExchanged) this.#wakeLater(reportMs);
    this.#wakeIfRoom();
  }

  /** When nothing is open, no answer will come: whoever waits reports what there was, and may get slots for it. */
  #wakeIfRoom(): void {
    if (this.#waiting.size > 0 && (this.#ordinaryRoom > 0 || this.#openCount === 0)) this.#wake();
  }

  /** Calls it when there may be room again. */
  watch(onRoom: () => void): void {
    this.#waiting.add(onRoom);
    const fullForMs = (this.fullUntil('') ?? 0) - this.#clock.now();
    const kindsMs = Object.values(this.#grant.roomOf).flatMap(({ fullForMs: forMs }) => forMs ?? []);
    if (fullForMs > 0) this.#wakeLater(Math.min(fullForMs, retryFullMs));
    else if (this.#ledger.isShared) this.#wakeLater(reportMs);
    else if (kindsMs.length > 0) this.#wakeLater(Math.min(retryFullMs, ...kindsMs));
  }

  unwatch(onRoom: () => void): void {
    this.#waiting.delete(onRoom);
  }

  /** Gives all slots back. */
  async close(): Promise<void> {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#isClosed = true;
    if (!this.#ledger.isShared || !this.#hasExchanged) return;
    this.#asked += this.#openCount;
    this.#unknown += this.#openCount;
    this.#openCount = 0;
    await Promise.resolve(this.#ledger.exchange(this.provider, this.limit, this.#takeReport(0, 0))).catch(
      () => undefined,
    );
  }

  /** Open questions may turn out unknown. What blocks us comes back with the next report, so that we do not ask on into a block. */
  get #used(): number {
    return this.#openCount + this.#unknown + this.#blocked;
  }

  get #ordinaryRoom(): number {
    const kept = Math.min(controlSlotsMax, Math.floor(allowedOf(this.limit) / 5), this.#slots - 1);
    return this.#slots - this.#used - Math.max(0, kept);
  }

  /** After a block: slots that were left are not used either. */
  get #isResting(): boolean {
    return this.#clock.now() < this.#grantedAt + (this.#grant.restForMs ?? 0);
  }

  get #hasExchanged(): boolean {
    return this.#exchangedAt > Number.NEGATIVE_INFINITY;
  }

  get #isLedgerAway(): boolean {
    if (!this.#ledger.isShared || !this.#hasExchanged || this.#slots === 0) return false;
    return this.#clock.now() - this.#grantedAt > ledgerAwayMs;
  }

  #exchangeIfDue(wanted: number): void {
    if (this.#isExchanging || this.#isClosed) return;
    const now = this.#clock.now();
    const sinceMs = now - this.#exchangedAt;
    // We have nothing new for the ledger, and it has nothing for us.
    const isTooSoon = this.#ledger.isShared
      ? this.#isShort && sinceMs < reportMs && this.#asked < this.limit.recipients / reportsPerWindow
      : sinceMs === 0 && this.#asked === 0 && this.#isShort;
    if (isTooSoon) {
      if (this.#ledger.isShared) this.#wakeLater(reportMs - sinceMs);
      return;
    }
    this.#exchangedAt = now;
    // Twice as many, so that few requests lead from the first question to as many as there may be.
    const more = Math.max(wanted, this.#wantedCount);
    const needed = Math.max(2 * (more > 0 ? this.#openCount + more : 0), this.#peakCount);
    const wantedSlots = needed === 0 ? 0 : needed + controlSlotsMax;
    const unspent = Math.min(this.#slots - this.#unknown, wantedSlots, this.#grant.fairSlots);
    const kept = Math.max(this.#openCount, unspent);
    this.#peakCount = this.#openCount;
    this.#wantedCount = 0;
    const report = this.#takeReport(kept, wantedSlots);
    const answer = this.#ledger.exchange(this.provider, this.limit, report);
    if (answer instanceof Promise) void this.#await(answer, report);
    else this.#take(answer, report.wanted);
  }

  #takeReport(kept: number, wanted: number): ShareReport {
    const report = {
      asked: this.#asked,
      unknown: this.#unknown,
      blocked: this.#blocked,
      askedOf: this.#askedOf,
      unknownOf: this.#unknownOf,
      kept,
      wanted: Math.max(kept, wanted),
    };
    this.#slots = kept;
    this.#asked = 0;
    this.#unknown = 0;
    this.#blocked = 0;
    this.#askedOf = {};
    this.#unknownOf = {};
    return report;
  }

  async #await(answer: Promise<ShareGrant>, report: ShareReport): Promise<void> {
    this.#isExchanging = true;
    try {
      this.#take(await answer, report.wanted);
    } catch {
      this.#takeBack(report);
      this.#wakeLater(reportMs);
    } finally {
      this.#isExchanging = false;
    }
    if (this.#waiting.size > 0) this.#wake();
  }

  /** The ledger is away: goes on with what it kept, and reports again later. */
  #takeBack(report: ShareReport): void {
    this.#isShort = true;
    this.#slots += report.unknown;
    this.#asked += report.asked;
    this.#unknown += report.unknown;
    this.#blocked += report.blocked;
    for (const [customer, count] of Object.entries(report.askedOf))
      this.#askedOf[customer] = (this.#askedOf[customer] ?? 0) + count;
    for (const [customer, count] of Object.entries(report.unknownOf))
      this.#unknownOf[customer] = (this.#unknownOf[customer] ?? 0) + count;
  }

  #take(grant: ShareGrant, wanted: number): void {
    this.#grant = grant;
    this.#isShort = grant.slots < wanted;
    this.#slots = grant.slots;
    this.#grantedAt = this.#clock.now();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const onRoom of waiting) onRoom();
  }

  /** Reports what is left to report, and lets those who wait try again. */
  #wakeLater(afterMs: number): void {
    const at = this.#clock.now() + Math.max(1, afterMs);
    if (at >= this.#timerAt || this.#isClosed) return;
    this.#stopTimer?.();
    this.#timerAt = at;
    this.#stopTimer = this.#clock.after(at - this.#clock.now(), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      if (this.#ledger.isShared) {
        this.#exchangeIfDue(0);
        if (this.#slots > 0) this.#wakeLater(reportMs);
      }
      this.#wake();
    });
  }
}
