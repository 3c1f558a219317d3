import { BroadcastChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createPartThreads } from './part-threads.ts';
import { RestartPolicy } from './restart-policy.ts';

/** A part that tells a number of its own, then follows orders: to throw where nothing catches it. */
const program = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';
    const { name, input } = workerData;
    if (input.isBroken) throw new Error('it cannot start');
    const orders = new BroadcastChannel('orders of the test');
    orders.onmessage = ({ data }) => { if (data === name) throw new Error('thrown by the test'); };
    new BroadcastChannel('starts').postMessage({ name, facts: input.facts });
    parentPort.postMessage({ trustsAddresses: true });
    parentPort.once('message', () => process.exit());
  `)}`,
);

function openParts() {
  const said: string[] = [];
  const starts: unknown[] = [];
  const heard = new BroadcastChannel('starts');
  heard.onmessage = (message) => starts.push((message as { data: unknown }).data);
  const orders = new BroadcastChannel('orders of the test');
  const parts = createPartThreads({ say: (line) => said.push(line), program });
  onTestFinished(async () => {
    await parts.stop();
    heard.close();
    orders.close();
  });
  return { parts, said, starts, fail: (name: string) => orders.postMessage(name) };
}

it('a part that fails is started again with what it told at first, and the others go on', async () => {
  const { parts, said, starts, fail } = openParts();
  const facts = await parts.keepRunning('identity', {} as never);
  await parts.keepRunning('mail', {});
  await expect.poll(() => starts).toHaveLength(2);

  fail('identity');

  await expect.poll(() => starts, { timeout: 10_000 }).toHaveLength(3);
  expect(starts[2]).toEqual({ name: 'identity', facts });
  expect(said).toEqual([
    'The embedded part identity failed (thrown by the test); starting it again. The rest goes on.',
  ]);
});

it('a part that cannot start tells the caller, and is not tried again', async () => {
  const { parts, said } = openParts();
  await expect(parts.keepRunning('mail', { isBroken: true } as object)).rejects.toThrow('it cannot start');
  expect(said).toEqual([]);
});

it('waits longer after each failure at the start, up to a limit, and starts soon after a long run', () => {
  const policy = new RestartPolicy();
  const ends = Array.from({ length: 8 }, () => policy.afterEnd(1_000));
  expect(ends.map(({ delayMs }) => delayMs)).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
  ]);
  expect(ends.map(({ looksHopeless }) => looksHopeless).indexOf(true)).toBe(3);
  expect(policy.afterEnd(60_000)).toEqual({ delayMs: 500, looksHopeless: false });
});
