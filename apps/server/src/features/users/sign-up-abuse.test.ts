import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../platform/auth/index.ts';
import { createSecrets } from '../../platform/crypto/secrets.ts';
import { movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createSubjectResolver } from './index.ts';

const hours = 24;
const domains = Array.from({ length: 10 }, (_, at) => `catch-all-${at}.example`);

/** The addresses that one person tries in an hour, as docs/ledger.md shows them. */
const addressesOf = (hour: number): Record<string, readonly string[]> => ({
  'made-up mailboxes at ten own domains, with tags, subdomains and capitals': domains.flatMap((domain) => [
    `p${hour}@${domain}`,
    `jane+${hour}@${domain}`,
    `jane@h${hour}.${domain}`,
    `q${hour}@${domain.toUpperCase()}`,
  ]),
  'spellings of one mailbox at Gmail': [
    `jane+${hour}@gmail.com`,
    `${'.'.repeat(hour % 2)}j.a.n.e@googlemail.com`.replace(/^\./, ''),
  ],
  'spellings of one mailbox at iCloud': [`jane+${hour}@icloud.com`, `jane+${hour}@me.com`, 'jane@mac.com'],
  'mailboxes at disposable domains': [
    `p${hour}@mailinator.com`,
    `p${hour}@h${hour}.mailinator.com`,
    `p${hour}@guerrillamail.com`,
  ],
});

const integer = (value: number): string => value.toLocaleString('en-US');

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
    const ownersOf = new Map<string, string[]>();
    for (let hour = 0; hour < hours; hour += 1) {
      await Promise.all(
        Object.entries(addressesOf(hour)).flatMap(([kind, addresses]) =>
          addresses.map(async (email) => {
            const { accountId } = await signUp(email);
            ownersOf.set(kind, [...(ownersOf.get(kind) ?? []), accountId]);
          }),
        ),
      );
      clock.advance({ hours: 1 });
    }

    const gains = await Promise.all(
      [...ownersOf].map(async ([kind, owners]) => {
        const { rows } = await database.pool.query(
          'select sum(balance)::int as credits from wallets where owner_id = any($1)',
          [owners],
        );
        return `| ${kind} | ${integer(owners.length)} | ${integer(rows[0].credits)} |`;
      }),
    );
    expect(gains).toEqual([
      '| made-up mailboxes at ten own domains, with tags, subdomains and capitals | 960 | 30,000 |',
      '| spellings of one mailbox at Gmail | 48 | 1,000 |',
      '| spellings of one mailbox at iCloud | 72 | 1,000 |',
      '| mailboxes at disposable domains | 72 | 0 |',
    ]);
    const page = await readFile(new URL('../../../../../docs/ledger.md', import.meta.url), 'utf8');
    for (const gain of gains) expect(page).toContain(gain);
    // New accounts are made one after the other, with pauses.
  }, 240_000);
});
