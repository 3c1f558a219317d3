import { expect, it, onTestFinished, vi } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const turn = () => new Promise(setImmediate);

/** Tasks that end when the test says. */
function openQueue(placeCount: number, limits: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}) {
  const queue = new FairQueue({ placeCount, ...limits });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (customerId: string, name = customerId, options?: Parameters<typeof queue.run>[2]) =>
    queue.run(
      customerId,
      () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      },
      options,
    );
  const endNext = async () => {
    ends.shift()?.();
    await turn();
  };
  return { queue, started, add, endNext };
}

it('gives the next place to the customer who has none, whatever arrived first', async () => {
  const { started, add, endNext } = openQueue(1);
  for (let index = 0; index < 5; index += 1) void add('many');
  void add('few');
  await turn();
  await endNext();
  await endNext();
  expect(started).toEqual(['many', 'few', 'many']);
});

it('keeps a place free from one customer, and lets the product itself use all', async () => {
  const { started, add } = openQueue(4);
  for (let index = 0; index < 10; index += 1) void add('many');
  await turn();
  expect(started).toHaveLength(3);
  void add('few');
  await turn();
  expect(started).toEqual(['many', 'many', 'many', 'few']);

  const own = openQueue(4);
  for (let index = 0; index < 10; index += 1) void own.add('');
  await turn();
  expect(own.started).toHaveLength(4);
});

it.each([2, 3])('keeps one of %i places free from one customer', async (placeCount) => {
  const { started, add } = openQueue(placeCount);
  for (let index = 0; index < 5; index += 1) void add('many');
  await turn();
  expect(started).toHaveLength(placeCount - 1);
  void add('few');
  await turn();
  expect(started.at(-1)).toBe('few');
});

it('lets customers with endless tasks have one place each', async () => {
  const { started, add, endNext } = openQueue(3);
  for (const customer of ['a', 'b', 'c'])
    for (let index = 0; index < 4; index += 1) void add(customer, `${customer}${index}`);
  await turn();
  expect(started).toEqual(['a0', 'a1', 'b0']);
  for (let index = 0; index < 4; index += 1) await endNext();
  expect(started.slice(3)).toEqual(['c0', 'a2', 'b1', 'c1']);
});

it('starts no task whose signal aborted while it waited', async () => {
  const { queue, started, add, endNext } = openQueue(1);
  const gone = new AbortController();
  void add('a', 'first');
  const waiting = add('a', 'gone', gone);
  void add('a', 'last');
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(add('a', 'late', gone)).rejects.toThrow('gone');
  expect(queue.waitingCount).toBe(1);
  await endNext();
  expect(started).toEqual(['first', 'last']);
});

it('refuses tasks above the limits: 429 for a customer with too many, 503 when too many wait in all', async () => {
  const text = 'Too many. Wait.';
  const { add, endNext } = openQueue(1, { perCustomer: { waitingMax: 2, text }, waitingMax: 3 });
  for (let index = 0; index < 3; index += 1) void add('a');
  await expect(add('a')).rejects.toMatchObject({
    code: 'too_many_requests',
    message: text,
    meta: { max: 2 },
  });
  void add('b');
  await expect(add('b')).rejects.toMatchObject({ code: 'service_unavailable' });
  await endNext();
  void add('b');
  await expect(add('b')).rejects.toMatchObject({ code: 'service_unavailable' });
});

it('runs the tasks of a customer in their order, and frees the place of one that fails', async () => {
  const { queue, started, add, endNext } = openQueue(1);
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const first = add('a', 'first');
  const second = add('a', 'second');
  await turn();
  await endNext();
  await endNext();
  expect(started).toEqual(['first', 'second']);
  expect([await first, await second]).toEqual(['first', 'second']);
});

it('lets a customer rest after a task, while others start', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { started, add, endNext } = openQueue(1, { restMsAfter: (ranMs) => ranMs / 2 });
  void add('many', 'first');
  void add('many', 'second');
  await turn();
  vi.advanceTimersByTime(1_000);
  await endNext();
  expect(started).toEqual(['first']);

  void add('few');
  await turn();
  await endNext();
  vi.advanceTimersByTime(499);
  expect(started).toEqual(['first', 'few']);
  vi.advanceTimersByTime(1);
  await turn();
  expect(started).toEqual(['first', 'few', 'second']);
});

it('does not let a short task end the rest after a long one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { started, add, endNext } = openQueue(3, { restMsAfter: (ranMs) => ranMs });
  void add('many', 'long');
  await turn();
  vi.advanceTimersByTime(1_000);
  void add('many', 'short');
  await turn();
  vi.advanceTimersByTime(10);
  await endNext();
  await endNext();
  void add('many', 'next');
  vi.advanceTimersByTime(900);
  await turn();
  expect(started).toEqual(['long', 'short']);
  vi.advanceTimersByTime(110);
  await turn();
  expect(started).toEqual(['long', 'short', 'next']);
});

it('tells when a task was aborted, for its rest', async () => {
  const aborted: boolean[] = [];
  const { add, endNext } = openQueue(1, { restMsAfter: (_, isAborted) => aborted.push(isAborted) && 0 });
  const gone = new AbortController();
  void add('a', 'a', gone);
  await turn();
  gone.abort();
  await endNext();
  void add('a');
  await turn();
  await endNext();
  expect(aborted).toEqual([true, false]);
});

it('keeps places for small tasks, and takes none for a large one that waits', async () => {
  const { started, add, endNext } = openQueue(3, { largeMax: 1 });
  void add('a', 'large of a', { isLarge: true });
  void add('b', 'large of b', { isLarge: true });
  void add('b', 'small of b');
  void add('c', 'small of c');
  await turn();
  expect(started).toEqual(['large of a', 'small of b', 'small of c']);
  await endNext();
  await endNext();
  expect(started.at(-1)).toBe('large of b');
});
