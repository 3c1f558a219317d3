import type { FactStore } from '@assay/verifier';
import type { Db } from '../../../platform/database/database.ts';

/**
 * What was proved about domains, in the database, so that all workers ask each domain once. A fact that cannot be read or
 * written costs another proof and no more: whatever else needs the database at that moment tells what is wrong with it.
 */
export function createSharedFacts(db: Db): FactStore {
  return {
    findCatchAll: async (domain) => {
      const fact = await db
        .selectFrom('domain_facts')
        .select(['is_catch_all', 'proved_at'])
        .where('domain', '=', domain)
        .executeTakeFirst()
        .catch(() => undefined);
      return fact && { isCatchAll: fact.is_catch_all, provedAt: fact.proved_at.getTime() };
    },
    saveCatchAll: async (domain, { isCatchAll, provedAt }) => {
      const fact = { is_catch_all: isCatchAll, proved_at: new Date(provedAt) };
      await db
        .insertInto('domain_facts')
        .values({ domain, ...fact })
        .onConflict((conflict) =>
          // Two workers may prove at once; the younger proof stands.
          conflict.column('domain').doUpdateSet(fact).where('domain_facts.proved_at', '<=', fact.proved_at),
        )
        .execute()
        .catch(() => undefined);
    },
  };
}
