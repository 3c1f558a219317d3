import { expect, it } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { verifyRows } from './verify-rows.ts';

const run = { ownerId: 'owner', listId: 'list', run: 0 };
const rows = [
  { rowNumber: 1, email: 'jane@exists.test' },
  { rowNumber: 2, email: 'max@exists.test' },
];

it('a piece of a list fails if the engine ends before every row has a finding, and its results are not taken for whole', async () => {
  const done: string[] = [];
  const piece = {
    add: () => undefined,
    isWanted: () => true,
    finish: async () => void done.push('finished'),
    close: () => void done.push('closed'),
  };
  const ended = { verifyAll: () => ({ async *batches() {} }) };
  const work = { clock: systemClock, verifier: ended, results: { open: () => piece } };

  const verified = verifyRows(
    work as never,
    run,
    { rows, since: null, deferralCount: 0 },
    new AbortController().signal,
  );

  await expect(verified).rejects.toThrow('The engine ended before every row had a finding.');
  expect(done).toEqual(['closed']);
});
