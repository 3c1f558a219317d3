import { expect, it } from 'vitest';
import { ReadTurns } from './read-turns.ts';

const turn = () => new Promise(setImmediate);

/** Reads that take this long each, and the names of those that were handled. */
function openTurns(readMs: number) {
  let now = 0;
  const handled: string[] = [];
  const turns = new ReadTurns(() => now);
  const add = (name: string) =>
    turns.add(() => {
      handled.push(name);
      now += readMs;
    });
  return { handled, add };
}

it('handles short reads in one turn, in their order', async () => {
  const { handled, add } = openTurns(0.25);
  for (const name of ['a', 'b', 'c', 'd']) add(name);
  expect(handled).toEqual([]);
  await turn();
  expect(handled).toEqual(['a', 'b', 'c', 'd']);
  add('e');
  await turn();
  expect(handled).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('leaves the rest for the next turn after a millisecond, so that other work gets its chance', async () => {
  const { handled, add } = openTurns(0.5);
  for (const name of ['a', 'b', 'c']) add(name);
  await turn();
  expect(handled).toEqual(['a', 'b']);
  await turn();
  expect(handled).toEqual(['a', 'b', 'c']);
});

it('handles one read per turn if each takes long', async () => {
  const { handled, add } = openTurns(100);
  for (const name of ['a', 'b']) add(name);
  await turn();
  expect(handled).toEqual(['a']);
  await turn();
  expect(handled).toEqual(['a', 'b']);
});
