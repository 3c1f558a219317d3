import { describe, expect, it } from 'vitest';
import {
  allowedOf,
  exchangeShares,
  newShareState,
  type ShareLimit,
  type ShareReport,
} from './share-window.ts';

const limit: ShareLimit = { share: 0.1, recipients: 100 };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function open(shareLimit = limit) {
  const state = newShareState();
  let now = Date.UTC(2026, 0, 1);
  const report = (holder: string, change: Partial<ShareReport> = {}) =>
    exchangeShares(state, shareLimit, {
      holder,
      now,
      report: { asked: 0, unknown: 0, blocked: 0, askedOf: {}, unknownOf: {}, kept: 0, wanted: 0, ...change },
    });
  const wait = (ms: number) => {
    now += ms;
  };
  return { state, report, wait };
}

describe('slots for recipients that may be unknown', () => {
  it('are as many as the limit has, and fewer by each recipient that was unknown', () => {
    const { report } = open();
    expect(report('a', { wanted: 50 }).slots).toBe(10);
    expect(report('a', { asked: 40, unknown: 4, wanted: 50 }).slots).toBe(6);
    expect(report('a', { asked: 5, wanted: 3 }).slots).toBe(3);
  });

  it('come back an hour after the answer', () => {
    const { report, wait } = open();
    report('a', { asked: 20, unknown: 7, wanted: 50 });
    wait(30 * minuteMs);
    const full = report('a', { asked: 20, unknown: 3, wanted: 50 });
    expect(full).toMatchObject({ slots: 0, fullForMs: 30 * minuteMs });
    wait(30 * minuteMs);
    expect(report('a', { wanted: 50 })).toMatchObject({ slots: 7 });
  });

  it('come back when as many recipients as the limit is about were asked since', () => {
    const { report, wait } = open();
    report('a', { asked: 10, unknown: 9, wanted: 50 });
    for (let count = 0; count < 9; count++) {
      wait(1_000);
      expect(report('a', { asked: 10, wanted: 50 }).slots).toBe(1);
    }
    wait(1_000);
    expect(report('a', { asked: 10, wanted: 50 }).slots).toBe(10);
  });

  it('are shared fairly, and one who keeps what it uses keeps it', () => {
    const { report } = open();
    expect(report('a', { wanted: 50 }).slots).toBe(10);
    expect(report('b', { wanted: 50 }).slots).toBe(0);
    expect(report('a', { kept: 6, wanted: 50 })).toMatchObject({ slots: 10 });
    expect(report('a', { kept: 2, wanted: 2 }).slots).toBe(2);
    expect(report('b', { wanted: 50 })).toMatchObject({ slots: 5, fairSlots: 5 });
    expect(report('a', { kept: 2, wanted: 50 }).slots).toBe(5);
    expect(report('c', { wanted: 50 }).slots).toBe(0);
  });

  it('of a holder that falls silent count as unknown, because it may have asked', () => {
    const { report, wait } = open();
    report('a', { wanted: 4 });
    wait(31_000);
    expect(report('b', { wanted: 50 }).slots).toBe(6);
    wait(hourMs);
    expect(report('b', { wanted: 50 }).slots).toBe(10);
  });

  it('are left by customers with many unknown recipients first, then by new ones, and clean ones may spend all', () => {
    const { report, wait } = open({ share: 0.1, recipients: 1_000 });
    report('a', { asked: 80, askedOf: { clean: 80 }, unknown: 6, unknownOf: { clean: 6 }, wanted: 200 });
    wait(10 * minuteMs);
    const some = { asked: 60, unknown: 60, askedOf: { dirty: 60 }, unknownOf: { dirty: 60 }, wanted: 200 };
    expect(report('a', some)).toMatchObject({
      slots: 34,
      kindOf: { clean: 'clean', dirty: 'dirty' },
      roomOf: { dirty: { slots: 9 }, new: { slots: 21 } },
    });
    const more = { asked: 9, unknown: 9, askedOf: { other: 9 }, unknownOf: { other: 9 }, wanted: 200 };
    const full = report('a', more);
    // Nine of at least fifty are too many for a tenth.
    expect(full.kindOf.other).toBe('dirty');
    // Six of 75 come back with the oldest answers.
    expect(full).toMatchObject({ slots: 25, roomOf: { dirty: { slots: 0, fullForMs: 50 * minuteMs } } });
    expect(full.roomOf.new).toEqual({ slots: 12 });
    expect(full.fullForMs).toBeUndefined();
  });

  it('of one kind are shared by the holders', () => {
    const { report } = open({ share: 0.1, recipients: 1_000 });
    report('a', { wanted: 40 });
    expect(report('b', { wanted: 200 })).toMatchObject({ slots: 50, roomOf: { dirty: { slots: 37 } } });
  });

  it('are at least one, so that a strict limit stops nobody for ever', () => {
    expect(allowedOf({ share: 0.001, recipients: 10 })).toBe(1);
  });
});

describe('after a block', () => {
  const blocks = { asked: 20, blocked: 12, wanted: 50 };

  it('nobody asks for ten minutes; then the limit is a quarter, and doubles each half hour', () => {
    const { report, wait } = open({ share: 0.1, recipients: 1_000 });
    const restForMs = 10 * minuteMs;
    expect(report('a', blocks)).toMatchObject({ slots: 0, fullForMs: restForMs, restForMs, isEasedUp: true });
    expect(report('a', { kept: 3, wanted: 9 })).toMatchObject({ slots: 3, restForMs });
    report('a');
    wait(5 * minuteMs);
    expect(report('b', { wanted: 500 })).toMatchObject({ slots: 0, fullForMs: 5 * minuteMs });
    wait(5 * minuteMs);
    expect(report('b', { wanted: 500 }).slots).toBe(25);
    report('b');
    wait(20 * minuteMs + 1);
    expect(report('b', { wanted: 500 })).toMatchObject({ slots: 50, isEasedUp: true });
    report('b');
    wait(30 * minuteMs);
    expect(report('b', { wanted: 500 })).toMatchObject({ slots: 100, isEasedUp: false });
  });

  it('a further block lowers the limit further', () => {
    const { report, wait } = open({ share: 0.1, recipients: 1_000 });
    report('a', blocks);
    wait(11 * minuteMs);
    report('a', blocks);
    wait(11 * minuteMs);
    expect(report('a', { wanted: 500 }).slots).toBe(6);
  });

  it.each([
    ['a few replies', { asked: 9, blocked: 9 }],
    ['a small part of the replies', { asked: 100, blocked: 12 }],
  ])('%s that block us are no block', (_, change) => {
    const { report } = open();
    expect(report('a', { ...change, wanted: 50 })).toMatchObject({ slots: 10, isEasedUp: false });
  });
});
