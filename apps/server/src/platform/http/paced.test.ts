import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { writeNamelessFile } from '../files/nameless-file.ts';
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

it('a file that was opened for a client that had left is closed, although nothing of it was read', async () => {
  const { schedule } = movableClock();
  const file = await writeNamelessFile(Readable.from([Buffer.from('email\n')]));
  const { end } = pacedFile(file.createReadStream({ start: 0 }), { schedule, cut: () => undefined });

  end();

  await expect.poll(() => file.fd).toBe(-1);
});
