import type { Clock, Schedule, SteadyClock } from '../platform/clock.ts';

export interface MovableClock extends Clock, SteadyClock {
  /** Tasks run when the clock is moved past their time. */
  readonly schedule: Schedule;
  set(moment: Date | string): void;
  advance(by: Span): void;
  /** Sets the time of day ahead or back while no time passes. */
  jump(by: Span): void;
}

interface Span {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly ms?: number;
}

const msOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Span): number =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms;

/** A clock that moves only when the test moves it. */
export function movableClock(start: Date | string = '2026-03-01T12:00:00Z'): MovableClock {
  const startedAt = new Date(start).getTime();
  let now = startedAt;
  let jumpedMs = 0;
  const tasks = new Set<{ at: number; run: () => void }>();

  /** Stops at each task, so that a task that it schedules also runs in time. */
  const moveTo = (target: number) => {
    for (;;) {
      const [next] = [...tasks].filter(({ at }) => at <= target).sort((a, b) => a.at - b.at);
      if (!next) break;
      tasks.delete(next);
      now = Math.max(now, next.at);
      next.run();
    }
    now = target;
  };

  return {
    now: () => new Date(now + jumpedMs),
    // From 0, as in a new process: a mix-up with the wall clock must show.
    steadyMs: () => now - startedAt,
    schedule: (run, delayMs) => {
      const task = { at: now + delayMs, run };
      tasks.add(task);
      return () => tasks.delete(task);
    },
    set: (moment) => moveTo(new Date(moment).getTime() - jumpedMs),
    advance: (by) => moveTo(now + msOf(by)),
    jump: (by) => {
      jumpedMs += msOf(by);
    },
  };
}
