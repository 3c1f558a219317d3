import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const turn = () => new Promise(setImmediate);

/** Tasks that end when the test says. */
function openQueue(placeCount: number) {
  const queue = new FairQueue(placeCount);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (customerId: string, name = customerId) =>
    queue.run(customerId, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
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
