import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atMostEvery } from './at-most-every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at once, then once for all calls of the pause, and again for a call after it', async () => {
  const work = vi.fn(async () => undefined);
  const call = atMostEvery(1_000, work);

  for (let count = 0; count < 50; count += 1) call();
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(999);
  call();
  expect(work).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(2);

  call();
  expect(work).toHaveBeenCalledTimes(3);
});

it('does not begin while slow work runs, and does not forget the call', async () => {
  let end = () => {};
  const work = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  const call = atMostEvery(1_000, work);
  call();
  call();

  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(1);

  end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(work).toHaveBeenCalledTimes(2);
});
