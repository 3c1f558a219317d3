import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createSharedFacts, sweepFacts } from './shared-facts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const earlier = { isCatchAll: true, provedAt: Date.UTC(2026, 10, 14) };
const later = { isCatchAll: false, provedAt: Date.UTC(2026, 10, 15) };

describe('facts that workers share', () => {
  it('are shared by all workers; the newer proof counts', async () => {
    const facts = createSharedFacts(database.db, 'a');
    await facts.saveCatchAll('open.test', later);
    await facts.saveCatchAll('open.test', earlier);

    expect(await createSharedFacts(database.db, 'a').findCatchAll('open.test')).toEqual(later);
  });

  it('count the domains at a mail host, each once and at most 100', async () => {
    const facts = createSharedFacts(database.db, 'a');
    expect(await facts.findHostUse('mx.burner.test')).toBeUndefined();
    await facts.saveHostUse('mx.burner.test', 'new.test', false);
    await Promise.all([
      facts.saveHostUse('mx.burner.test', 'new.test', true),
      facts.saveHostUse('mx.burner.test', 'shop.test', false),
    ]);
    expect(await createSharedFacts(database.db, 'a').findHostUse('mx.burner.test')).toEqual({
      listedCount: 1,
      otherCount: 1,
    });

    await Promise.all(
      Array.from({ length: 98 }, (_, index) => facts.saveHostUse('mx.burner.test', `d${index}.test`, true)),
    );
    await facts.saveHostUse('mx.burner.test', 'late.test', true);
    expect(await facts.findHostUse('mx.burner.test')).toEqual({ listedCount: 99, otherCount: 1 });
  });

  it('keep how hosts answer for each egress apart, because a host may refuse one of them', async () => {
    const facts = createSharedFacts(database.db, 'a');
    await facts.saveControl('apart.test', { askedAt: later.provedAt });
    await facts.saveAcceptance('mx.apart.test', later.provedAt);
    await facts.saveSilence('mx.apart.test', later.provedAt);
    await facts.saveCatchAll('apart.test', later);
    const other = createSharedFacts(database.db, 'b');
    expect(await other.findControl('apart.test')).toBeUndefined();
    expect(await other.findAcceptance('mx.apart.test')).toBeUndefined();
    expect(await other.findSilence('mx.apart.test')).toBeUndefined();
    expect(await other.findCatchAll('apart.test')).toEqual(later);
    expect(await facts.findAcceptance('mx.apart.test')).toBe(later.provedAt);
    expect(await facts.findSilence('mx.apart.test')).toBe(later.provedAt);
  });

  it('forget the domains at a mail host after a month', async () => {
    const facts = createSharedFacts(database.db, 'a');
    await facts.saveHostUse('mx.old.test', 'old.test', true);
    await facts.saveHostUse('mx.young.test', 'young.test', true);
    await sql`update mail_host_uses set seen_at = now() - interval '31 days' where host = 'mx.old.test'`.execute(
      database.db,
    );
    await sweepFacts(database.db);
    expect(await facts.findHostUse('mx.old.test')).toBeUndefined();
    expect(await facts.findHostUse('mx.young.test')).toBeDefined();
  });

  it('keep how a domain answered for its postmaster, and when a host accepted a mailbox', async () => {
    const facts = createSharedFacts(database.db, 'a');
    const refused = { askedAt: later.provedAt, words: '550 5.1.1 user unknown' };
    await facts.saveControl('closed.test', refused);
    await facts.saveControl('closed.test', { askedAt: earlier.provedAt });
    await facts.saveControl('fine.test', { askedAt: earlier.provedAt });
    await facts.saveAcceptance('mx.test', later.provedAt);
    await facts.saveAcceptance('mx.test', earlier.provedAt);

    const shared = createSharedFacts(database.db, 'a');
    expect(await shared.findControl('closed.test')).toEqual(refused);
    expect(await shared.findControl('fine.test')).toEqual({ askedAt: earlier.provedAt });
    expect(await shared.findControl('other.test')).toBeUndefined();
    expect(await shared.findAcceptance('mx.test')).toBe(later.provedAt);
  });

  it('forget answers for postmaster and acceptances after two days', async () => {
    const facts = createSharedFacts(database.db, 'a');
    const dayMs = 86_400_000;
    const now = Date.now();
    await facts.saveControl('old.test', { askedAt: now - 3 * dayMs });
    await facts.saveControl('young.test', { askedAt: now - dayMs });
    await facts.saveAcceptance('mx.old.test', now - 3 * dayMs);
    await facts.saveAcceptance('mx.young.test', now - dayMs);
    await sweepFacts(database.db);
    expect(await facts.findControl('old.test')).toBeUndefined();
    expect(await facts.findControl('young.test')).toBeDefined();
    expect(await facts.findAcceptance('mx.old.test')).toBeUndefined();
    expect(await facts.findAcceptance('mx.young.test')).toBeDefined();
  });

  it('forget that a host stayed silent after an hour', async () => {
    const facts = createSharedFacts(database.db, 'a');
    await facts.saveSilence('mx.old.test', Date.now() - 61 * 60_000);
    await facts.saveSilence('mx.young.test', Date.now() - 59 * 60_000);
    await sweepFacts(database.db);
    expect(await facts.findSilence('mx.old.test')).toBeUndefined();
    expect(await facts.findSilence('mx.young.test')).toBeDefined();
  });

  it('are missing, without an error, while the database is down', async () => {
    const away = openDatabase({
      url: 'postgres://assay@127.0.0.1:1/assay',
      poolSize: 1,
      applicationName: 'assay test',
      onIdleError: () => undefined,
    });
    const facts = createSharedFacts(away.db, 'a');

    await expect(facts.saveCatchAll('open.test', earlier)).resolves.toBeUndefined();
    await expect(facts.findCatchAll('open.test')).resolves.toBeUndefined();
    await expect(facts.saveHostUse('mx.burner.test', 'new.test', true)).resolves.toBeUndefined();
    await expect(facts.findHostUse('mx.burner.test')).resolves.toBeUndefined();
    await away.close();
  });
});
