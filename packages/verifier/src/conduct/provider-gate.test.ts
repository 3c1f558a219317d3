import { expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { ProviderGate, type ShareLedger } from './provider-gate.ts';
import { exchangeShares, newShareState } from './share-window.ts';

const limit = { share: 0.3, recipients: 100 };

/** A gate of a process without workers beside it, with all slots taken and one who waits. */
function takenWhole() {
  const clock = new ManualClock();
  const state = newShareState();
  const ledger: ShareLedger = {
    isShared: false,
    exchange: (_provider, shareLimit, report) =>
      exchangeShares(state, shareLimit, { holder: 'alone', report, now: clock.now() }),
  };
  const gate = new ProviderGate('provider.test', limit, ledger, clock);
  const count = gate.room(limit.recipients);
  gate.take(count);
  let wakings = 0;
  gate.watch(() => {
    wakings += 1;
  });
  return { gate, count, wakings: () => wakings };
}

it('wakes who waits when the last open questions were not asked after all', () => {
  const { gate, count, wakings } = takenWhole();
  expect(count).toBeGreaterThan(0);

  for (let left = count; left > 0; left--) gate.giveBack();

  expect(wakings()).toBe(1);
  expect(gate.room(limit.recipients)).toBe(count);
});

it('wakes who waits when the last answer is there, though it makes no room', () => {
  const { gate, count, wakings } = takenWhole();

  for (let left = count; left > 0; left--) gate.note('unknown', 'ann');

  expect(wakings()).toBe(1);
});
