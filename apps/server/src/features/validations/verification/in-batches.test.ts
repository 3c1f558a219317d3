import { describe, expect, it } from 'vitest';
import { inBatches } from './in-batches.ts';

const never = 2 ** 30;

async function* from<Item>(...items: Item[]) {
  yield* items;
}

describe('writing results together', () => {
  it('ends a batch when it is full, and the last one with the input', async () => {
    const batches = inBatches(from(1, 2, 3, 4, 5), { lengthMax: 2, waitMaxMs: never });

    expect(await Array.fromAsync(batches)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('ends a batch whose first item has waited long enough although nothing else comes', async () => {
    const gate = Promise.withResolvers<void>();
    async function* stalling() {
      yield 'early';
      await gate.promise;
      yield 'late';
    }
    const batches = inBatches(stalling(), { lengthMax: 100, waitMaxMs: 1 });

    expect((await batches.next()).value).toEqual(['early']);
    gate.resolve();
    expect((await batches.next()).value).toEqual(['late']);
    expect((await batches.next()).done).toBe(true);
  });

  it('passes a failure of the input on', async () => {
    async function* failing() {
      yield 1;
      throw new Error('the line went dead');
    }

    await expect(Array.fromAsync(inBatches(failing(), { lengthMax: 9, waitMaxMs: never }))).rejects.toThrow(
      'the line went dead',
    );
  });

  it('lets the input go when the caller leaves early', async () => {
    let isLetGo = false;
    async function* endless() {
      try {
        for (;;) yield 1;
      } finally {
        isLetGo = true;
      }
    }

    for await (const _batch of inBatches(endless(), { lengthMax: 1, waitMaxMs: never })) break;

    expect(isLetGo).toBe(true);
  });
});
