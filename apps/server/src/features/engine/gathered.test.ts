import { describe, expect, it } from 'vitest';
import { Gathered } from './gathered.ts';

describe('what is asked together', () => {
  it('is one call, and what comes while it is under way is the next', async () => {
    const calls: number[][] = [];
    const gates: PromiseWithResolvers<string>[] = [];
    const gathered = new Gathered((items: number[]) => {
      calls.push(items);
      const gate = Promise.withResolvers<string>();
      gates.push(gate);
      return gate.promise;
    });

    const together = [gathered.add(1), gathered.add(2)];
    await expect.poll(() => calls).toEqual([[1, 2]]);
    const later = [gathered.add(3), gathered.add(4)];
    await new Promise(setImmediate);
    expect(calls).toHaveLength(1);
    gates[0]?.resolve('first');

    expect(await Promise.all(together)).toEqual(['first', 'first']);
    await expect
      .poll(() => calls)
      .toEqual([
        [1, 2],
        [3, 4],
      ]);
    gates[1]?.resolve('second');
    expect(await Promise.all(later)).toEqual(['second', 'second']);
  });

  it('fails for those whose call failed, and for nobody after', async () => {
    let hasFailed = false;
    const gathered = new Gathered(async (items: number[]) => {
      if (hasFailed) return items.length;
      hasFailed = true;
      throw new Error('the database is away');
    });

    await expect(gathered.add(1)).rejects.toThrow('the database is away');
    expect(await gathered.add(2)).toBe(1);
  });
});
