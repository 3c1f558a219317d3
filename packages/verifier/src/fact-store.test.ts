import { expect, it } from 'vitest';
import { createMemoryFactStore, inWallTime, isFresh, isRecent } from './fact-store.ts';
import { ManualClock } from './testing/manual-clock.ts';

const hourMs = 3_600_000;

it('a shared store keeps wall time, whatever the clock of the process that proved a fact', async () => {
  const clock = new ManualClock();
  const shared = createMemoryFactStore();
  clock.jumpedMs = -40 * hourMs;
  const store = inWallTime(shared, clock);

  await store.saveCatchAll('a.test', { isCatchAll: true, provedAt: clock.now() });
  await store.saveControl('a.test', { askedAt: clock.now(), words: 'no such user' });
  await store.saveAcceptance('mx.a.test', clock.now());
  await store.saveSilence('mx.a.test', clock.now());

  expect(await shared.findCatchAll('a.test')).toEqual({ isCatchAll: true, provedAt: clock.wallNow() });
  expect(await shared.findControl('a.test')).toEqual({ askedAt: clock.wallNow(), words: 'no such user' });
  expect(await shared.findAcceptance('mx.a.test')).toBe(clock.wallNow());
  expect(await shared.findSilence('mx.a.test')).toBe(clock.wallNow());
  expect(await store.findSilence('mx.a.test')).toBe(clock.now());
});

it('a fact has its age by the wall clock after that was set, or the machine slept', async () => {
  const clock = new ManualClock();
  const shared = createMemoryFactStore();
  const store = inWallTime(shared, clock);
  await shared.saveCatchAll('a.test', { isCatchAll: false, provedAt: clock.wallNow() });
  await shared.saveControl('a.test', { askedAt: clock.wallNow() });
  await shared.saveAcceptance('mx.a.test', clock.wallNow());
  const areYoung = async () => {
    const fact = await store.findCatchAll('a.test');
    return [
      fact && isFresh(fact, clock),
      isRecent((await store.findControl('a.test'))?.askedAt, clock),
      isRecent(await store.findAcceptance('mx.a.test'), clock),
    ];
  };

  clock.jumpedMs = 23 * hourMs;
  expect(await areYoung()).toEqual([true, true, true]);

  clock.jumpedMs = 25 * hourMs;
  expect(await areYoung()).toEqual([false, false, false]);
});

it('knows nothing of what the store does not know, and passes on the use of hosts', async () => {
  const store = inWallTime(createMemoryFactStore(), new ManualClock());

  await store.saveHostUse('mx.a.test', 'a.test', true);

  expect(await store.findHostUse('mx.a.test')).toEqual({ listedCount: 1, otherCount: 0 });
  expect(await store.findCatchAll('b.test')).toBeUndefined();
  expect(await store.findControl('b.test')).toBeUndefined();
  expect(await store.findAcceptance('mx.b.test')).toBeUndefined();
});
