import type { Clock } from '../platform/clock.ts';

export interface MovableClock extends Clock {
  set(moment: Date | string): void;
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void;
}

/** Stands still until it is moved. */
export function movableClock(start: Date | string = '2026-03-01T12:00:00Z'): MovableClock {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    set: (moment) => {
      now = new Date(moment).getTime();
    },
    advance: ({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }) => {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms;
    },
  };
}
