import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { pacedFile } from './paced.ts';

it('a client that waits for us is not cut off; one that takes nothing is', async () => {
  const { schedule, advance } = movableClock();
  const slowPage = Promise.withResolvers<Buffer>();
  async function* contents() {
    yield Buffer.from('email,result\n');
    yield await slowPage.promise;
  }
  let isCut = false;
  const cut = () => {
    isCut = true;
  };
  const { stream, end } = pacedFile(contents(), { schedule, cut });
  const reading = stream[Symbol.asyncIterator]();

  expect(String((await reading.next()).value)).toBe('email,result\n');
  await setImmediate();
  advance({ minutes: 5 });
  expect(isCut).toBe(false);

  slowPage.resolve(Buffer.alloc(1_000_000));
  await reading.next();
  await setImmediate();
  advance({ seconds: 30 });
  expect(isCut).toBe(true);
  end();
});
