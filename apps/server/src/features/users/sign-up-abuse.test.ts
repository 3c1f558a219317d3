import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../platform/auth/index.ts';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import { movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createSubjectResolver } from './index.ts';

const hours = 24;
const domains = Array.from({ length: 10 }, (_, at) => `catch-all-${at}.example`);

/** The addresses that one person tries in an hour: made-up ones at own domains, spellings of two mailboxes, disposable ones. */
const addressesOf = (hour: number): string[] => [
  ...domains.flatMap((domain) => [
    `p${hour}@${domain}`,
    `jane+${hour}@${domain}`,
    `jane@h${hour}.${domain}`,
    `q${hour}@${domain.toUpperCase()}`,
  ]),
  `jane+${hour}@gmail.com`,
  `${'.'.repeat(hour % 2)}j.a.n.e@googlemail.com`.replace(/^\./, ''),
  `jane+${hour}@icloud.com`,
  `jane+${hour}@me.com`,
  'jane@mac.com',
  `p${hour}@mailinator.com`,
  `p${hour}@h${hour}.mailinator.com`,
  `p${hour}@guerrillamail.com`,
];

describe('a day of abuse by one person with ten mail domains', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  it('gains three sign-ups for each domain and one for each mailbox at a provider: 32,000 credits of 1,152 sign-ups', async () => {
    const clock = movableClock('2026-03-01T00:00:00Z');
    const parts = {
      db: database.db,
      clock,
      secrets: createSecrets(randomUUID()),
      // As it is by default.
      freeGrantsPerDomain: 3,
    };
    const resolve = createSubjectResolver(parts);
    const signUp = (email: string) =>
      resolve({
        issuer: 'https://identity.example',
        sub: randomUUID(),
        issuedAt: clock.now(),
        signedInAt: null,
        sessionId: null,
        sessionsValidFrom: null,
        sessionKey: 'sid s1',
        readProfile: async (): Promise<Profile> => ({
          email,
          isEmailVerified: true,
          firstName: 'Jane',
          lastName: 'Doe',
          phone: null,
          identities: ['email'],
        }),
      });
    let signUps = 0;
    for (let hour = 0; hour < hours; hour += 1) {
      const addresses = addressesOf(hour);
      await Promise.all(addresses.map(signUp));
      signUps += addresses.length;
      clock.advance({ hours: 1 });
    }

    const { rows } = await database.pool.query('select sum(balance)::int as credits from wallets');
    expect({ signUps, credits: rows[0].credits }).toEqual({ signUps: 1_152, credits: 32_000 });
    // New accounts are made one after the other, with pauses.
  }, 240_000);
});
