import { startMailWorld } from '@assay/mail-world';
import { createVerifier } from '@assay/verifier';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../platform/logging/index.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { openSharedPermits } from './shared-permits.ts';

// Without PIPELINING a pool opens a connection for every dozen addresses, so each engine alone would reach the limits.
const zone = `
host mx1.big.test lacks PIPELINING
host mx2.big.test lacks PIPELINING
domain one.test mx mx1.big.test; accepts user*
domain two.test mx mx2.big.test; accepts user*
`;
const limits = { perHost: 3, perProvider: 4, total: 500 };

it('two verifiers behind one address together stay within the limits of a host and of a provider', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const world = await startMailWorld({ zone, replyDelayMs: 2 });
  onTestFinished(() => world.close());
  const openVerifier = async () => {
    const shared = await openSharedPermits({
      db: database.db,
      databaseUrl: database.url,
      applicationName: 'assay test permits',
      logger: createLogger({ level: 'silent', process: 'test' }),
      egress: 'default',
      share: 'bulk',
      limits,
    });
    const { permits } = shared;
    const verifier = createVerifier({
      dns: [world.dns],
      allowRanges: world.allowRanges,
      helo: 'worker.assay.test',
      permits,
    });
    onTestFinished(async () => {
      await verifier.close();
      await shared.close();
    });
    return verifier;
  };
  const verifiers = [await openVerifier(), await openVerifier()];
  const addresses = ['one.test', 'two.test'].flatMap((domain) =>
    Array.from({ length: 300 }, (_, index) => `user${index}@${domain}`),
  );

  const results = await Promise.all(
    verifiers.map(async (verifier) => {
      let validCount = 0;
      for await (const { result } of verifier.verifyAll(addresses)) if (result === 'VALID') validCount += 1;
      return validCount;
    }),
  );

  expect(results).toEqual([600, 600]);
  expect(world.conduct.host('mx1.big.test').connectionsPeak).toBeLessThanOrEqual(limits.perHost);
  expect(world.conduct.host('mx2.big.test').connectionsPeak).toBeLessThanOrEqual(limits.perHost);
  // Exactly: they also use the whole limit.
  expect(world.conduct.total.connectionsPeak).toBe(limits.perProvider);
  expect(world.conduct.violations).toEqual([]);
});
