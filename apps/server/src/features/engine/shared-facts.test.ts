import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createSharedFacts } from './shared-facts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const earlier = { isCatchAll: true, provedAt: Date.UTC(2026, 10, 14) };
const later = { isCatchAll: false, provedAt: Date.UTC(2026, 10, 15) };

describe('facts that workers share', () => {
  it('are shared by all workers; the newer proof counts', async () => {
    const facts = createSharedFacts(database.db);
    await facts.saveCatchAll('open.test', later);
    await facts.saveCatchAll('open.test', earlier);

    expect(await createSharedFacts(database.db).findCatchAll('open.test')).toEqual(later);
  });

  it('are missing, without an error, while the database is down', async () => {
    const away = openDatabase({
      url: 'postgres://assay@127.0.0.1:1/assay',
      poolSize: 1,
      applicationName: 'assay test',
      onIdleError: () => undefined,
    });
    const facts = createSharedFacts(away.db);

    await expect(facts.saveCatchAll('open.test', earlier)).resolves.toBeUndefined();
    await expect(facts.findCatchAll('open.test')).resolves.toBeUndefined();
    await away.close();
  });
});
