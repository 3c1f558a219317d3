import { createSocket } from 'node:dgram';
import { once } from 'node:events';
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

it('reads what arrived while the process was stopped before a time limit ends', async () => {
  const [host, ours] = [createSocket('udp4'), createSocket('udp4')];
  onTestFinished(() => {
    host.close();
    ours.close();
  });
  ours.bind(0, '127.0.0.1');
  await once(ours, 'listening');
  const happened: string[] = [];
  const both = Promise.withResolvers<void>();
  const note = (what: string) => {
    if (happened.push(what) === 2) both.resolve();
  };
  ours.on('message', () => note('the answer'));
  systemClock.after(50, () => note('the limit'));

  host.send('an answer', ours.address().port, '127.0.0.1', () => {
    // As SIGSTOP, a machine that sleeps, or a long task.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  });
  await both.promise;

  expect(happened).toEqual(['the answer', 'the limit']);
});

it('a limit that was taken back does not end, not even a late one', async () => {
  const ended = vi.fn();
  const takeBack = systemClock.after(1, ended);
  setTimeout(takeBack, 1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(ended).not.toHaveBeenCalled();
});
