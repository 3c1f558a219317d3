import { expect, it } from 'vitest';
import type { DnsAnswer, Resolver } from '../dns/resolver.ts';
import { createMemoryFactStore } from '../fact-store.ts';
import { createDialGuard } from '../net/dial-guard.ts';
import { anyLocalAddress } from '../smtp/egress.ts';
import { ReadTurns } from '../smtp/read-turns.ts';
import { RecordingClient } from '../testing/jobs.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { defaultLimits, defaultTimeouts } from '../verifier.ts';
import { Engine } from './engine.ts';
import { createMemoryPermits } from './host-permits.ts';

const turn = () => new Promise(setImmediate);

function openEngine(resolver: Pick<Resolver, 'mx' | 'ipv4'>, clock: ManualClock): Engine {
  return new Engine({
    session: {
      helo: 'probe.example.com',
      mailFrom: '',
      timeouts: defaultTimeouts,
      guard: createDialGuard(25, []),
      egress: anyLocalAddress,
      clock,
      readTurns: new ReadTurns(),
    },
    resolver: { ...resolver, ipv6: async () => ({ status: 'no_data', expiresAt: 0 }), close: () => {} },
    facts: createMemoryFactStore(),
    permits: createMemoryPermits({ perHost: 1, perProvider: 1, total: 1 }),
    traits: {
      describe: () => {},
      suggestionFor: () => undefined,
      registrableDomainOf: (host) => host,
      hostKindOf: () => 'serves_anybody',
    },
    providerOf: (name) => ({ name }),
    limits: defaultLimits,
    mayRest: () => false,
    isMoreComing: () => false,
  });
}

it('jobs that wait for the addresses of a host keep waiting when the MX records expire meanwhile', async () => {
  const clock = new ManualClock();
  const addresses = Promise.withResolvers<DnsAnswer<string>>();
  const expiresAt = clock.now();
  const records = [{ preference: 1, exchange: 'mx.example.com' }];
  const engine = openEngine(
    { mx: async () => ({ status: 'found', records, expiresAt }), ipv4: () => addresses.promise },
    clock,
  );
  const client = new RecordingClient();
  for (const email of ['jane@example.com', 'john@example.com']) {
    engine.submit(email, client, email);
    await turn();
  }
  addresses.resolve({ status: 'no_data', expiresAt });
  await turn();
  expect(client.outcomes).toEqual(['jane@example.com no_mail_host', 'john@example.com no_mail_host']);
});
