import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { ProviderGate, type ShareLedger } from './provider-gate.ts';
import { exchangeShares, newShareState, type ShareLimit } from './share-window.ts';

const hourMs = 3_600_000;
const patienceMs = hourMs;
const recipientsAtOnce = 50;

interface Situation {
  /** The provider blocks above this part of unknown recipients, in windows of so many. */
  limit: ShareLimit;
  /** The part of a list's recipients that is unknown. */
  unknownShare: number;
  listCount: number;
  rowsPerList: number;
  workerCount: number;
  /** What we keep to; what the provider does unless given. */
  ours?: ShareLimit;
  isGoverned?: boolean;
}

/** Lists that several workers check at one provider, which blocks for an hour those who ask about too many unknown recipients. */
async function simulate(situation: Situation) {
  const { limit, unknownShare, listCount, rowsPerList, workerCount, isGoverned = true } = situation;
  const ours = situation.ours ?? limit;
  const clock = new ManualClock();
  const random = randomNumbers(7);
  const provider = new SimulatedProvider(limit, clock);
  const workers = openGates(ours, workerCount, clock);
  const result = { decided: 0, throttled: 0, blockCount: 0, decidedBeforeBlock: 0, refused: 0 };
  for (let list = 0; list < listCount; list++) {
    let left = rowsPerList;
    const endsAt = clock.now() + patienceMs;
    while (left > 0 && clock.now() < endsAt) {
      const asked: ProviderGate[] = [];
      // A pool asks its gate again when the ledger has answered.
      for (const gate of workers) if (isGoverned) gate.room(Math.min(recipientsAtOnce, left));
      await letAnswersArrive();
      for (const gate of workers) {
        const wanted = Math.min(recipientsAtOnce, left);
        const room = isGoverned ? Math.min(gate.room(wanted), gate.roomOf(`customer ${list}`)) : wanted;
        gate.take(room);
        left -= room;
        for (let count = 0; count < room; count++) asked.push(gate);
      }
      for (const gate of shuffled(asked, random)) {
        const answer = provider.ask(random() < unknownShare);
        gate.note(answer, `customer ${list}`);
        if (answer === 'blocked') result.refused += 1;
        if (answer === 'blocked') continue;
        result.decided += 1;
        if (provider.blockCount === 0) result.decidedBeforeBlock += 1;
      }
      await letAnswersArrive();
      clock.advance(asked.length > 0 ? 1_000 : 10_000);
      await letAnswersArrive();
    }
    result.throttled += left;
  }
  return { ...result, blockCount: provider.blockCount, hours: (clock.now() - Date.UTC(2026, 0, 1)) / hourMs };
}

class SimulatedProvider {
  readonly #limit: ShareLimit;
  readonly #clock: ManualClock;
  #recent: { at: number; isUnknown: boolean }[] = [];
  #unknownCount = 0;
  #blockedUntil = 0;
  blockCount = 0;

  constructor(limit: ShareLimit, clock: ManualClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  ask(isUnknown: boolean): 'accepted' | 'unknown' | 'blocked' {
    const now = this.#clock.now();
    this.#recent.push({ at: now, isUnknown });
    if (isUnknown) this.#unknownCount += 1;
    const { share, recipients } = this.#limit;
    while (this.#recent.length > recipients || now - (this.#recent[0]?.at ?? now) >= hourMs)
      if (this.#recent.shift()?.isUnknown) this.#unknownCount -= 1;
    if (this.#blockedUntil > now) return 'blocked';
    if (this.#unknownCount <= share * recipients) return isUnknown ? 'unknown' : 'accepted';
    this.blockCount += 1;
    this.#blockedUntil = now + hourMs;
    return 'blocked';
  }
}

/** The gates of workers that share a ledger, as they share a table. */
function openGates(limit: ShareLimit, count: number, clock: ManualClock): ProviderGate[] {
  const state = newShareState();
  return Array.from({ length: count }, (_, holder) => {
    const ledger: ShareLedger = {
      isShared: true,
      exchange: async (_provider, shareLimit, report) => {
        await Promise.resolve();
        return exchangeShares(state, shareLimit, { holder: `${holder}`, report, now: clock.now() });
      },
    };
    return new ProviderGate('provider.test', limit, ledger, clock);
  });
}

const letAnswersArrive = () => new Promise(setImmediate);

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((left, right) => left.order - right.order)
    .map(({ item }) => item);
}

/** Numbers between 0 and 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.each([1, 4, 16])('a provider that blocks, asked by %i workers', (workerCount) => {
  describe.each([0.05, 0.1, 0.3])('above a share of %f unknown', (share) => {
    it.each([
      [0.02, 100],
      [0.02, 1_000],
      [0.08, 100],
      [0.08, 1_000],
      [0.2, 100],
      [0.2, 1_000],
    ])(
      'never blocks us: a share of %f of the lists is unknown, windows of %i',
      async (unknownShare, recipients) => {
        const limit = { share, recipients };
        const found = await simulate({ limit, unknownShare, listCount: 4, rowsPerList: 300, workerCount });
        expect(found.blockCount).toBe(0);
        expect(found.decided + found.throttled).toBe(1_200);
        // Several times below the limit nobody has to wait long.
        if (unknownShare * 3 < share) expect(found.throttled).toBe(0);
      },
    );
  });
});

it('without the gate, the provider blocks after a few rows', async () => {
  const situation = {
    limit: { share: 0.1, recipients: 100 },
    unknownShare: 0.2,
    listCount: 10,
    rowsPerList: 200,
    workerCount: 4,
  };
  const without = await simulate({ ...situation, isGoverned: false });
  const governed = await simulate(situation);
  expect(without.blockCount).toBeGreaterThan(0);
  expect(without.decidedBeforeBlock).toBeLessThan(100);
  expect(governed.blockCount).toBe(0);
  expect(governed.decidedBeforeBlock).toBeGreaterThan(100);
});

it('at most one of a hundred lists above the limit is blocked', async () => {
  const found = await simulate({
    limit: { share: 0.05, recipients: 100 },
    unknownShare: 0.2,
    listCount: 100,
    rowsPerList: 100,
    workerCount: 4,
  });
  expect(found.blockCount).toBeLessThanOrEqual(1);
  expect(found.decided).toBeGreaterThan(1_000);
});

it.each([0.02, 0.08, 0.2])(
  'a provider with a stricter window than we know blocks us, and is then asked little: %f unknown',
  async (unknownShare) => {
    const found = await simulate({
      limit: { share: 0.05, recipients: 100 },
      ours: { share: 0.3, recipients: 1_000 },
      unknownShare,
      listCount: 8,
      rowsPerList: 2_000,
      workerCount: 4,
    });
    expect(found.decidedBeforeBlock).toBeLessThan(300);
    // It blocks for an hour each time; without the rests we would ask about all rows meanwhile.
    expect(found.blockCount).toBeLessThanOrEqual(found.hours + 1);
    expect(found.refused).toBeLessThan(1_000);
    expect(found.decided + found.throttled + found.refused).toBe(16_000);
  },
);

describe('strangers who fill a limit with bad addresses', () => {
  interface Crowd {
    strangerCount: number;
    limit: ShareLimit;
    workerCount: number;
  }

  /** Strangers ask about as many bad addresses as they may for two hours, while one list is checked whose recipients are mostly known. */
  async function crowd({ strangerCount, limit, workerCount }: Crowd) {
    const clock = new ManualClock();
    const random = randomNumbers(11);
    const provider = new SimulatedProvider(limit, clock);
    const workers = openGates(limit, workerCount, clock);
    const customers = [
      ...Array.from({ length: strangerCount }, (_, index) => ({ name: `stranger ${index}`, unknown: 0.9 })),
      { name: 'list', unknown: limit.share / 4 },
    ];
    const decided = new Map<string, number>();
    const endsAt = clock.now() + 2 * hourMs;
    while (clock.now() < endsAt) {
      const asked: { gate: ProviderGate; name: string; unknown: number }[] = [];
      for (const gate of workers) gate.room(recipientsAtOnce);
      await letAnswersArrive();
      // Customers take turns at each worker, a transaction each.
      for (const [turn, gate] of workers.entries())
        for (let place = 0; place < customers.length; place++) {
          const { name, unknown } = customers[
            (place + turn) % customers.length
          ] as (typeof customers)[number];
          const room = Math.min(gate.room(recipientsAtOnce), gate.roomOf(name), 20);
          gate.take(room);
          for (let count = 0; count < room; count++) asked.push({ gate, name, unknown });
        }
      for (const { gate, name, unknown } of shuffled(asked, random)) {
        gate.note(provider.ask(random() < unknown), name);
        decided.set(name, (decided.get(name) ?? 0) + 1);
      }
      await letAnswersArrive();
      clock.advance(asked.length > 0 ? 1_000 : 10_000);
      await letAnswersArrive();
    }
    return { ofList: decided.get('list') ?? 0, blockCount: provider.blockCount };
  }

  it.each([
    [1, 1],
    [1, 4],
    [5, 1],
    [5, 4],
  ])('%i of them do not stop a clean list, with %i workers', async (strangerCount, workerCount) => {
    const limit = { share: 0.3, recipients: 1_000 };
    const alone = await crowd({ strangerCount: 0, limit, workerCount });
    const beside = await crowd({ strangerCount, limit, workerCount });
    expect(beside.blockCount).toBe(0);
    expect(beside.ofList).toBeGreaterThan(alone.ofList / 3);
  });
});
