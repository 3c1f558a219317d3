import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Agenda } from './agenda.ts';

describe('the agenda', () => {
  it('keeps every appointment once, in the order of time and then of making', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }), (delays) => {
          const agenda = new Agenda();
          const start = agenda.now();
          const kept: number[] = [];
          for (const [index, delay] of delays.entries()) agenda.at(start + delay, () => kept.push(index));
          vi.advanceTimersByTime(60);
          const order = [...delays.keys()].sort(
            (one, other) => (delays[one] ?? 0) - (delays[other] ?? 0) || one - other,
          );
          expect(kept).toEqual(order);
        }),
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps nothing before its time, nothing at infinity and nothing once closed', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const agenda = new Agenda();
      const kept: string[] = [];
      agenda.at(agenda.now() + 30, () => kept.push('late'));
      agenda.at(agenda.now() + 10, () => kept.push('early'));
      agenda.at(Number.POSITIVE_INFINITY, () => kept.push('never'));
      vi.advanceTimersByTime(20);
      expect(kept).toEqual(['early']);
      agenda.close();
      vi.advanceTimersByTime(1e9);
      expect(kept).toEqual(['early']);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
