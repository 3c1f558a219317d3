import { expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { openWorld } from '../../testing/world.ts';

const silentCount = 240;
const connections = 100;
const zone = [
  'domain open.test  accepts jane',
  ...Array.from(
    { length: silentCount },
    (_, index) => `domain silent-${index}.test  accepts jane; at banner hang`,
  ),
].join('\n');

it.each([5, 16, 64])(
  'the checks of %i customers at silent hosts do not stop the first check of others',
  async (count) => {
    const { world, newVerifier } = await openWorld({ zone });
    const clock = new ManualClock();
    const verifier = newVerifier({ clock, limits: { connections } });
    const stop = new AbortController();
    const check = (email: string, customer: string) =>
      verifier.verify(email, { customer, deferrals: 'return', signal: stop.signal });
    const deferred: string[] = [];
    const silent = Array.from({ length: silentCount }, async (_, index) => {
      const finding = await check(
        `jane@silent-${index}.test`,
        `silent ${Math.floor((index * count) / silentCount)}`,
      );
      deferred.push(`${finding.kind}: ${finding.evidence.at(-1)?.note}`);
    });
    const stopped = Promise.allSettled(silent);
    // The parts of five customers may leave one connection to a newcomer, whatever the order in which they came.
    await expect
      .poll(() => world.conduct.total.connectionsNow, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(connections - 1);
    // Their hosts would keep the connections for a minute.
    clock.advance(2_000);

    const others = Array.from({ length: 8 }, (_, index) => check('jane@open.test', `other ${index}`));
    for (const { result } of await Promise.all(others)) expect(result).toBe('VALID');

    expect(new Set(deferred)).toEqual(
      new Set(['try_again: no answer so far; another customer needed the connection']),
    );
    stop.abort();
    await stopped;
  },
);
