import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLoopShare } from './loop-share.ts';

describe('slices of work', () => {
  /** A clock that moves while work runs. */
  const withClock = () => {
    let timeMs = 0;
    return { share: createLoopShare({ now: () => timeMs }), work: (ms: number) => () => (timeMs += ms) };
  };

  it('let the loop turn after each of them, however many callers ask at once', async () => {
    const { share, work } = withClock();
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const turnsAtSlices: number[] = [];
    const callers = Array.from({ length: 5 }, async () => {
      for (let count = 0; count < 10; count += 1) {
        await share.slice(() => {
          turnsAtSlices.push(turns);
          work(2)();
        });
      }
    });

    await Promise.all(callers);
    isOver = true;

    expect(new Set(turnsAtSlices).size).toBe(50);
  });

  it('do not overlap when they wait for something', async () => {
    const { share } = withClock();
    let running = 0;
    let runningMax = 0;
    const wait = async () => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => share.slice(wait)));
    expect(runningMax).toBe(1);
  });

  it('that hang keep the next ones waiting for seconds, not for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { share } = withClock();
    void share.slice(() => new Promise(() => undefined));
    const next = share.slice(() => 'next');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await next).toBe('next');
  });

  it('run in the order in which they were asked for, and one that fails does not stop the next', async () => {
    const { share } = withClock();
    const ran: number[] = [];
    const asked = [1, 2, 3].map((number) =>
      share.slice(() => {
        ran.push(number);
        if (number === 2) throw new Error('broken');
        return number;
      }),
    );

    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(ran).toEqual([1, 2, 3]);
  });
});
