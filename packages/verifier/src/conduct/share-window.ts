/**
 * How many recipients a provider may not know, of those that one egress address asks it about. Providers block addresses that ask
 * about too many; see docs/conduct.md.
 */
export interface ShareLimit {
  /** The part that may be unknown, of this many recipients in a row. */
  readonly share: number;
  readonly recipients: number;
}

/** Answers that came close together. Plain numbers and names, so that a database can keep it. */
interface Bucket {
  from: number;
  until: number;
  asked: number;
  unknown: number;
  blocked: number;
  /** How many each customer asked about, and how many of them were unknown. Missing in what an earlier version wrote. */
  askedOf?: Record<string, number>;
  unknownOf: Record<string, number>;
}

interface Lease {
  slots: number;
  seenAt: number;
}

/** What all who share an egress address asked one provider lately, and what each of them may still ask. */
export interface ShareState {
  /** The oldest first. */
  buckets: Bucket[];
  leases: Record<string, Lease>;
  /** After a block: how often the limit is halved, and since when. */
  step: number;
  steppedAt: number;
  /** Nobody asks before then. */
  restUntil: number;
}

/** What one holder asked since its last report, and what it needs. */
export interface ShareReport {
  readonly asked: number;
  readonly unknown: number;
  readonly blocked: number;
  readonly askedOf: Readonly<Record<string, number>>;
  readonly unknownOf: Readonly<Record<string, number>>;
  /** What it goes on using until it has its answer: at least one slot for each open question. */
  readonly kept: number;
  readonly wanted: number;
}

export interface ShareGrant {
  /** A slot is spent when a recipient turns out unknown, and free again when it does not. */
  readonly slots: number;
  /** Its part, when others need slots too. */
  readonly fairSlots: number;
  /** Everything is spent; the first slot is free again after this time. */
  readonly fullForMs?: number;
  /** Nobody asks for this time, whatever slots it has. */
  readonly restForMs?: number;
  /** What customers who are not clean may still spend of it, and the kinds of those who asked lately; all others are new. */
  readonly roomOf: Readonly<Record<'new' | 'dirty', KindRoom>>;
  readonly kindOf: Readonly<Record<string, CustomerKind>>;
  /** The limit in force. */
  readonly allowed: number;
  /** The limit is lowered after a block. */
  readonly isEasedUp: boolean;
}

/**
 * `clean`: of the recipients of this customer, clearly fewer were unknown than the provider takes, so that what it spends comes back with what
 * it asks. `dirty`: more were. `new`: it has asked too few to tell.
 */
export type CustomerKind = 'clean' | 'new' | 'dirty';

interface KindRoom {
  /** For this holder: recipients of such customers that may be open or unknown at the same time. */
  readonly slots: number;
  /** Nothing is left for them for this time. */
  readonly fullForMs?: number;
}

/** Older answers do not count. */
const windowMs = 3_600_000;
/** A holder that is silent for longer is gone, and its open questions may have been asked. */
const leaseMaxMs = 30_000;
const bucketMs = 60_000;
const bucketsPerWindow = 20;
/**
 * How far a limit may be spent, by whomever, for customers of these kinds to ask on: those with many unknown recipients stop first, then new
 * ones. So a clean list finds room beside any other, and its other recipients move the window on.
 */
const partOf = { dirty: 3 / 4, new: 7 / 8 } as const;
/** From so many recipients on we know what kind of customer it is; in a short window, from a quarter of it. */
const recipientsToJudgeMax = 50;
/** From so many replies that block us, and from this part of what was asked since the last step, the provider has had too much. */
const blocksMin = 10;
const blockShareMin = 0.2;
const restAfterBlockMs = 600_000;
const stepsPerBlock = 2;
const stepsMax = 6;
/** After a block the limit is doubled again at most this often, while no further block comes. */
const stepMs = 1_800_000;

export const newShareState = (): ShareState => ({
  buckets: [],
  leases: {},
  step: 0,
  steppedAt: 0,
  restUntil: 0,
});

/** Whether anything in it still counts. */
export const isRecent = ({ buckets, restUntil }: ShareState, now: number): boolean =>
  restUntil > now || now - (buckets.at(-1)?.until ?? 0) < windowMs;

/** The limit in force, for people. */
export interface ShareStanding {
  readonly allowed: number;
  /** Recipients that were unknown, of those that count now. */
  readonly spent: number;
  readonly isEasedUp: boolean;
  /** Nobody asks before then. */
  readonly restUntil?: number;
}

export function describeShares(state: ShareState, limit: ShareLimit, now: number): ShareStanding {
  const counted = countedBuckets(state.buckets, limit, now);
  return {
    allowed: allowedOf(limit, state.step),
    spent: counted.reduce((sum, { unknown }) => sum + unknown, 0),
    isEasedUp: state.step > 0,
    ...(state.restUntil > now && { restUntil: state.restUntil }),
  };
}

/** Takes a holder's report and grants it slots. No window of recipients gets more unknown ones than allowed, whatever the answers. */
export function exchangeShares(
  state: ShareState,
  limit: ShareLimit,
  { holder, report, now }: { readonly holder: string; readonly report: ShareReport; readonly now: number },
): ShareGrant {
  forgetSilentHolders(state, holder, limit, now);
  addAnswers(state, report, limit, now);
  noteBlocks(state, report, now);
  const counted = countedBuckets(state.buckets, limit, now);
  state.buckets = counted;
  const allowed = allowedOf(limit, state.step);
  const unknown = counted.reduce((sum, bucket) => sum + bucket.unknown, 0);
  const others = Object.entries(state.leases).filter(([id]) => id !== holder);
  const leased = others.reduce((sum, [, { slots }]) => sum + slots, 0);
  const holderCount = others.filter(([, { slots }]) => slots > 0).length + 1;
  const isResting = state.restUntil > now;
  const left = isResting ? 0 : Math.max(0, allowed - unknown);
  const fairSlots = Math.max(1, Math.floor(left / holderCount));
  const target = Math.min(report.wanted, left - leased, holderCount > 1 ? fairSlots : left);
  const slots = Math.max(report.kept, target);
  if (slots > 0) state.leases[holder] = { slots, seenAt: now };
  else delete state.leases[holder];
  const fullForMs = Math.max(state.restUntil - now, timeUntilBelow(counted, allowed, now));
  return {
    slots,
    fairSlots,
    ...(fullForMs > 0 && { fullForMs }),
    ...(isResting && { restForMs: state.restUntil - now }),
    ...roomByKind(counted, { limit, allowed, slots, holderCount, now }),
    allowed,
    isEasedUp: state.step > 0,
  };
}

/** The limit in whole recipients; never 0, because a provider that is never asked cannot show that it answers again. */
export const allowedOf = ({ share, recipients }: ShareLimit, step = 0): number =>
  Math.max(1, Math.floor((share * recipients) / 2 ** step));

/** What a holder had open when it fell silent counts as unknown: it may have been asked. */
function forgetSilentHolders(state: ShareState, holder: string, limit: ShareLimit, now: number): void {
  for (const [id, { slots, seenAt }] of Object.entries(state.leases)) {
    if (id === holder || now - seenAt <= leaseMaxMs) continue;
    delete state.leases[id];
    addAnswers(state, { asked: slots, unknown: slots, blocked: 0, askedOf: {}, unknownOf: {} }, limit, now);
  }
}

type Answers = Pick<ShareReport, 'asked' | 'unknown' | 'blocked' | 'askedOf' | 'unknownOf'>;

function addAnswers(state: ShareState, answers: Answers, { recipients }: ShareLimit, now: number): void {
  if (answers.asked === 0 && answers.blocked === 0) return;
  const last = state.buckets.at(-1);
  const isOpen =
    last !== undefined && last.asked < recipients / bucketsPerWindow && now - last.from < bucketMs;
  const bucket = isOpen
    ? last
    : { from: now, until: now, asked: 0, unknown: 0, blocked: 0, unknownOf: {} as Record<string, number> };
  if (!isOpen) state.buckets.push(bucket);
  bucket.until = now;
  bucket.asked += answers.asked;
  bucket.unknown += answers.unknown;
  bucket.blocked += answers.blocked;
  bucket.askedOf ??= {};
  addCounts(bucket.askedOf, answers.askedOf);
  addCounts(bucket.unknownOf, answers.unknownOf);
}

function addCounts(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [customer, count] of Object.entries(counts)) sums[customer] = (sums[customer] ?? 0) + count;
}

/** Several blocks lower the limit and start a rest; every half hour without one raises it again. */
function noteBlocks(state: ShareState, report: ShareReport, now: number): void {
  const isQuiet = state.step > 0 && now - state.steppedAt >= stepMs;
  if (report.blocked === 0) {
    if (!isQuiet) return;
    state.step -= 1;
    state.steppedAt = now;
    return;
  }
  const recent = state.buckets.filter(({ from }) => from >= state.steppedAt);
  const blocked = recent.reduce((sum, bucket) => sum + bucket.blocked, 0);
  const asked = recent.reduce((sum, bucket) => sum + bucket.asked, 0);
  if (state.restUntil > now || blocked < blocksMin || blocked < asked * blockShareMin) return;
  state.step = Math.min(state.step + stepsPerBlock, stepsMax);
  // The buckets so far belong to this block.
  state.steppedAt = now + 1;
  state.restUntil = now + restAfterBlockMs;
}

/**
 * The buckets that count, the oldest first: answers of the last hour, and no more than the limit is about. The oldest one counts
 * whole, because its unknown recipients may have been its last.
 */
function countedBuckets(buckets: readonly Bucket[], { recipients }: ShareLimit, now: number): Bucket[] {
  const counted: Bucket[] = [];
  let left = recipients;
  for (const bucket of buckets.toReversed()) {
    if (left <= 0 || now - bucket.until >= windowMs) break;
    counted.push(bucket);
    left -= bucket.asked;
  }
  return counted.reverse();
}

/** After what time fewer than these count as unknown, if nothing is asked; 0 if that is so now. */
function timeUntilBelow(counted: readonly Bucket[], max: number, now: number): number {
  let unknown = counted.reduce((sum, bucket) => sum + bucket.unknown, 0);
  let time = now;
  for (const bucket of counted) {
    if (unknown < max) break;
    unknown -= bucket.unknown;
    time = bucket.until + windowMs;
  }
  return time - now;
}

interface KindLimits {
  readonly limit: ShareLimit;
  readonly allowed: number;
  /** Of the holder, and how many share the rest. */
  readonly slots: number;
  readonly holderCount: number;
  readonly now: number;
}

function roomByKind(
  counted: readonly Bucket[],
  { limit, allowed, slots, holderCount, now }: KindLimits,
): Pick<ShareGrant, 'roomOf' | 'kindOf'> {
  const spent = counted.reduce((sum, { unknown }) => sum + unknown, 0);
  const roomFor = (part: number): KindRoom => {
    const max = Math.max(1, Math.floor(allowed * part));
    const fullForMs = timeUntilBelow(counted, max, now);
    const left = Math.max(1, Math.floor((max - spent) / holderCount));
    return fullForMs > 0 ? { slots: 0, fullForMs } : { slots: Math.min(slots, left) };
  };
  return {
    kindOf: kindsOf(counted, limit),
    roomOf: { dirty: roomFor(partOf.dirty), new: roomFor(partOf.new) },
  };
}

function kindsOf(
  counted: readonly Bucket[],
  { share, recipients }: ShareLimit,
): Record<string, CustomerKind> {
  const recipientsToJudge = Math.min(recipientsToJudgeMax, recipients / 4);
  const asked: Record<string, number> = {};
  const unknown: Record<string, number> = {};
  for (const bucket of counted) {
    addCounts(asked, bucket.askedOf ?? {});
    addCounts(unknown, bucket.unknownOf);
  }
  const kinds: Record<string, CustomerKind> = {};
  for (const customer of new Set([...Object.keys(asked), ...Object.keys(unknown)])) {
    const count = Math.max(asked[customer] ?? 0, recipientsToJudge);
    if ((unknown[customer] ?? 0) > share * partOf.dirty * count) kinds[customer] = 'dirty';
    else if ((asked[customer] ?? 0) >= recipientsToJudge) kinds[customer] = 'clean';
  }
  return kinds;
}
