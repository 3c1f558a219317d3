import { describe, expect, it } from 'vitest';
import type { Db } from '../../../platform/database/database.ts';
import { FarPages } from './far-pages.ts';

describe('pages that are far down', () => {
  it('are read two at a time for all customers; one customer may have six, and 429 for the seventh', async () => {
    // Nothing is read: the statements are the test's own.
    const farPages = new FarPages({} as Db);
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const statement = () => {
      running += 1;
      most = Math.max(most, running);
      return new Promise<string>((resolve) =>
        ends.push(() => {
          running -= 1;
          resolve('page');
        }),
      );
    };
    const asked = Array.from({ length: 6 }, () => farPages.read('ann', statement));

    await expect(farPages.read('ann', statement)).rejects.toMatchObject({ code: 'too_many_requests' });
    asked.push(farPages.read('bob', statement));
    while (ends.length > 0 || running > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }

    expect(await Promise.all(asked)).toEqual(Array(7).fill('page'));
    expect(most).toBe(2);
    const again = farPages.read('ann', async () => 'free again');
    expect(await again).toBe('free again');
  });

  it('that fail free their place', async () => {
    const farPages = new FarPages({} as Db);
    for (let count = 0; count < 10; count += 1) {
      await expect(farPages.read('ann', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    }
  });
});
