import { beforeEach, expect, it } from 'vitest';
import { createLogger } from '../logging/index.ts';
import { createSharedPoll } from './shared-poll.ts';

const logger = createLogger({ level: 'silent', process: 'test' });
let woken: string[];
const laneOf = (name: string, hasRoom = true) => ({ name, hasRoom, wake: () => void woken.push(name) });
const lanes = [laneOf('mails'), laneOf('lists'), laneOf('full', false)];
/** A full lane polls as soon as it has room. */
const alwaysWoken = ['full'];

beforeEach(() => {
  woken = [];
});

it('asks once for all lanes with room, and wakes those with jobs', async () => {
  const asked: (readonly string[])[] = [];
  const poll = createSharedPoll({
    find: async (names) => {
      asked.push(names);
      return new Set(['lists']);
    },
    lanes,
    logger,
  });

  await poll();

  expect(asked).toEqual([['mails', 'lists']]);
  expect(woken).toEqual([...alwaysWoken, 'lists']);
});

it('lets each lane poll for itself when the question fails, and asks again', async () => {
  let isBroken = true;
  const poll = createSharedPoll({
    find: async () => {
      if (isBroken) throw new Error('lost');
      return new Set();
    },
    lanes,
    logger,
  });

  await poll();
  expect(woken).toEqual([...alwaysWoken, 'mails', 'lists']);

  woken = [];
  isBroken = false;
  await poll();
  expect(woken).toEqual(alwaysWoken);
});

it('lets each lane poll for itself after five polls without an answer', async () => {
  const poll = createSharedPoll({ find: () => new Promise(() => {}), lanes, logger });
  void poll();
  for (let missed = 1; missed < 5; missed++) await poll();
  expect(woken).not.toContain('mails');

  await poll();

  expect(woken).toContain('mails');
  expect(woken).toContain('lists');
});
