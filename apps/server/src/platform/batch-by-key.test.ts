import { describe, expect, it } from 'vitest';
import { batchByKey } from './batch-by-key.ts';
import { type Schedule, systemSchedule } from './clock.ts';

interface Order {
  readonly name: string;
  readonly isRefused?: boolean;
}

function recordedBatches(lengthMax = 10, schedule: Schedule = systemSchedule) {
  const calls: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const add = batchByKey<Order, string>({
    lengthMax,
    schedule,
    handle: async (orders) => {
      calls.push(orders.map(({ name }) => name));
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      const refused = orders.find(({ isRefused }) => isRefused);
      if (refused) throw new Error(`${refused.name} is refused`);
      return orders.map(({ name }) => `${name} is done`);
    },
  });
  const untilCalled = (count: number) => expect.poll(() => calls.length).toBe(count);
  const end = (place: number) => gates[place]?.resolve();
  return { add, calls, untilCalled, end };
}

describe('batchByKey', () => {
  it('handles the items of a key that arrive together with one call, and answers each', async () => {
    const { add, calls, untilCalled, end } = recordedBatches();

    const answers = [add('ann', { name: 'a' }), add('ann', { name: 'b' })];
    await untilCalled(1);
    end(0);

    expect(await Promise.all(answers)).toEqual(['a is done', 'b is done']);
    expect(calls).toEqual([['a', 'b']]);
  });

  it('does not let a key wait for another', async () => {
    const { add, untilCalled, end } = recordedBatches();

    const slow = add('ann', { name: 'a' });
    await untilCalled(1);
    const quick = add('bob', { name: 'b' });
    await untilCalled(2);
    end(1);

    expect(await quick).toBe('b is done');
    end(0);
    expect(await slow).toBe('a is done');
  });

  it('handles each alone when they fail together: only the refused one fails', async () => {
    const { add, calls, untilCalled, end } = recordedBatches();

    const answers = Promise.allSettled([
      add('ann', { name: 'a' }),
      add('ann', { name: 'b', isRefused: true }),
      add('ann', { name: 'c' }),
    ]);
    await untilCalled(1);
    end(0);
    await untilCalled(4);
    for (const place of [1, 2, 3]) end(place);

    expect(await answers).toMatchObject([
      { value: 'a is done' },
      { reason: new Error('b is refused') },
      { value: 'c is done' },
    ]);
    expect(calls).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  it('does not wait for a call that is never answered', async () => {
    const due: (() => void)[] = [];
    const schedule: Schedule = (act) => {
      due.push(act);
      return () => undefined;
    };
    const { add, calls, untilCalled, end } = recordedBatches(10, schedule);

    const silent = add('ann', { name: 'a' });
    const refusal = expect(silent).rejects.toMatchObject({ code: 'service_unavailable' });
    await untilCalled(1);
    const later = add('ann', { name: 'b' });
    due[0]?.();
    await refusal;
    await untilCalled(2);
    end(1);

    expect(await later).toBe('b is done');
    expect(calls).toEqual([['a'], ['b']]);
  });

  it('tries an item that fails alone only once', async () => {
    const { add, calls, untilCalled, end } = recordedBatches();

    const answer = add('ann', { name: 'a', isRefused: true });
    answer.catch(() => undefined);
    await untilCalled(1);
    end(0);

    await expect(answer).rejects.toThrow('a is refused');
    expect(calls).toEqual([['a']]);
  });

  it('handles no more items at once than it may', async () => {
    const { add, calls, untilCalled, end } = recordedBatches(2);

    const answers = ['a', 'b', 'c'].map((name) => add('ann', { name }));
    await untilCalled(1);
    end(0);
    await untilCalled(2);
    end(1);

    await Promise.all(answers);
    expect(calls).toEqual([['a', 'b'], ['c']]);
  });
});
