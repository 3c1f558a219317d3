import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from './clock.ts';

it('goes on when the wall clock is set back or ahead', () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const before = systemClock.now();
  const hourMs = 3_600_000;
  for (const jumpMs of [-hourMs, hourMs]) {
    vi.spyOn(Date, 'now').mockReturnValue(before + jumpMs);
    const passedMs = systemClock.now() - before;
    expect(passedMs).toBeGreaterThanOrEqual(0);
    expect(passedMs).toBeLessThan(hourMs);
  }
});
