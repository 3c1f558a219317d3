import { describe, expect, it } from 'vitest';
import { movableClock } from '../testing/clock.ts';
import { Batch, type BatchOptions } from './batch.ts';

const turn = () => new Promise(setImmediate);

/** Its calls end when the test says so. */
function heldBatch(options: Omit<BatchOptions<number, string>, 'call'> = {}) {
  const calls: number[][] = [];
  const gates: PromiseWithResolvers<string>[] = [];
  const batch = new Batch<number, string>({
    ...options,
    call: (items) => {
      calls.push(items);
      const gate = Promise.withResolvers<string>();
      gates.push(gate);
      return gate.promise;
    },
  });
  const end = async (index: number, error?: Error) => {
    if (error) gates[index]?.reject(error);
    else gates[index]?.resolve(`answer ${index}`);
    await turn();
    await turn();
  };
  return { batch, calls, end };
}

describe('Batch', () => {
  it('calls once for the items of one turn and answers each of them', async () => {
    const { batch, calls, end } = heldBatch();

    const answers = [batch.add(1), batch.add(2)];
    expect(calls).toEqual([]);
    await turn();
    expect(calls).toEqual([[1, 2]]);
    await end(0);

    expect(await Promise.all(answers)).toEqual(['answer 0', 'answer 0']);
  });

  it('gathers the items that arrive during a call into the next one', async () => {
    const { batch, calls, end } = heldBatch();
    batch.add(1);
    await turn();

    const later = [batch.add(2)];
    await turn();
    later.push(batch.add(3));
    await turn();
    expect(calls).toEqual([[1]]);
    await end(0);

    expect(calls).toEqual([[1], [2, 3]]);
    await end(1);
    expect(await Promise.all(later)).toEqual(['answer 1', 'answer 1']);
  });

  it('calls again after it had nothing to do', async () => {
    const { batch, calls, end } = heldBatch();
    batch.add(1);
    await turn();
    await end(0);

    batch.add(2);
    await turn();

    expect(calls).toEqual([[1], [2]]);
  });

  it('leaves items beyond the maximum length to the next call', async () => {
    const { batch, calls, end } = heldBatch({ lengthMax: 2 });

    const answers = [1, 2, 3, 4, 5].map((item) => batch.add(item));
    await turn();
    expect(calls).toEqual([[1, 2]]);
    await end(0);
    await end(1);
    await end(2);

    expect(calls).toEqual([[1, 2], [3, 4], [5]]);
    expect(await Promise.all(answers)).toEqual(['answer 0', 'answer 0', 'answer 1', 'answer 1', 'answer 2']);
  });

  it('waits for the minimum length', async () => {
    const { batch, calls } = heldBatch({ lengthMin: 3, waitMaxMs: 200, schedule: movableClock().schedule });

    batch.add(1);
    batch.add(2);
    await turn();
    await turn();
    expect(calls).toEqual([]);
    batch.add(3);
    await turn();

    expect(calls).toEqual([[1, 2, 3]]);
  });

  it('waits no longer than the longest wait', async () => {
    const clock = movableClock();
    const { batch, calls } = heldBatch({ lengthMin: 3, waitMaxMs: 200, schedule: clock.schedule });

    batch.add(1);
    await turn();
    clock.advance({ ms: 199 });
    await turn();
    expect(calls).toEqual([]);
    clock.advance({ ms: 1 });
    await turn();

    expect(calls).toEqual([[1]]);
  });

  it('cancels the longest wait when the minimum length is reached', async () => {
    const clock = movableClock();
    const { batch, calls, end } = heldBatch({ lengthMin: 2, waitMaxMs: 200, schedule: clock.schedule });
    batch.add(1);
    await turn();
    batch.add(2);
    await end(0);
    batch.add(3);
    await turn();
    clock.advance({ ms: 199 });
    await turn();

    expect(calls).toEqual([[1, 2]]);
  });

  it('waits for the maximum length when the minimum is larger', async () => {
    const { batch, calls } = heldBatch({ lengthMin: 5, lengthMax: 2, waitMaxMs: 200 });

    batch.add(1);
    batch.add(2);
    await turn();

    expect(calls).toEqual([[1, 2]]);
  });

  it('flush calls with fewer items than the minimum', async () => {
    const { batch, calls } = heldBatch({ lengthMin: 3, waitMaxMs: 3_600_000 });
    batch.add(1);
    await turn();

    batch.flush();
    await turn();

    expect(calls).toEqual([[1]]);
  });

  it('a failed call rejects its own items and no others', async () => {
    const { batch, end } = heldBatch();
    const first = batch.add(1);
    await turn();
    const second = batch.add(2);
    await end(0, new Error('no connection'));
    await end(1);

    await expect(first).rejects.toThrow('no connection');
    expect(await second).toBe('answer 1');
  });

  it('a call that throws rejects its items', async () => {
    const batch = new Batch<number>({
      call: () => {
        throw new Error('not a promise');
      },
    });

    await expect(batch.add(1)).rejects.toThrow('not a promise');
  });

  it('with stopsOnFailure a failed call also rejects items that wait and items that come later', async () => {
    const { batch, calls, end } = heldBatch({ stopsOnFailure: true });
    const first = batch.add(1);
    await turn();
    const waiting = batch.add(2);
    await end(0, new Error('no connection'));

    await expect(first).rejects.toThrow('no connection');
    await expect(waiting).rejects.toThrow('no connection');
    await expect(batch.add(3)).rejects.toThrow('no connection');
    expect(calls).toEqual([[1]]);
  });

  it('close calls with the items that wait, resolves after the last call, and rejects later items', async () => {
    const { batch, calls, end } = heldBatch({ lengthMin: 3, waitMaxMs: 3_600_000 });
    const answer = batch.add(1);
    let isClosed = false;
    const closed = batch.close().then(() => {
      isClosed = true;
    });
    await turn();
    expect(calls).toEqual([[1]]);
    expect(isClosed).toBe(false);
    await end(0);
    await closed;

    expect(await answer).toBe('answer 0');
    await expect(batch.add(2)).rejects.toThrow('The batch is closed.');
    expect(calls).toEqual([[1]]);
  });

  it('close resolves when nothing waits', async () => {
    await expect(heldBatch().batch.close()).resolves.toBeUndefined();
  });
});
