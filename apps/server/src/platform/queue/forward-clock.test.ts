import { beforeEach, expect, it } from 'vitest';
import { createForwardClock } from './forward-clock.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
let [wall, steady] = [0, 0];
let clock: ReturnType<typeof createForwardClock>;

beforeEach(() => {
  [wall, steady] = [start, 5];
  clock = createForwardClock(
    () => wall,
    () => steady,
  );
});

const pass = (ms: number) => {
  wall += ms;
  steady += ms;
};

it('goes on when the wall clock is set back, and still counts the time that passes', () => {
  pass(1_000);
  wall -= hourMs;
  expect(clock.now()).toBe(start + 1_000);

  pass(2_000);
  expect(clock.now()).toBe(start + 3_000);
});

it('follows a wall clock that is set ahead, or whose machine slept', () => {
  wall += hourMs;
  expect(clock.now()).toBe(start + hourMs);

  pass(10);
  expect(clock.now()).toBe(start + hourMs + 10);
});
