import { randomUUID } from 'node:crypto';
import {
  exchangeShares,
  type ShareGrant,
  type ShareLedger,
  type ShareLimit,
  type ShareReport,
} from '@assay/verifier';
import { Batch } from '../../../platform/batch.ts';
import { type SteadyClock, systemClock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { isTestDomain } from '../health/test-domain.ts';
import { beginPlan } from './plans.store.ts';
import { lockStates, saveStates } from './shares.store.ts';

/** A changed plan counts after this time. */
const planKeptMs = 600_000;

/** Hosts of tests have no memory of an address, and somebody who tries Assay may ask them about nobody else. */
const ofTests: ShareLimit = { share: 1, recipients: 1_000_000 };

interface Exchange {
  readonly provider: string;
  readonly limit: ShareLimit;
  readonly report: ShareReport;
}

/**
 * The windows of unknown recipients, shared by all engines that use an egress address. An engine gets slots for many questions at a
 * time, so no question needs a statement of its own. See docs/decisions/engine-shared-shares.md.
 */
export function createSharedShares(db: Db, egress: string, clock: SteadyClock = systemClock): ShareLedger {
  const holder = randomUUID();
  let plan: { readonly step: number; readonly readAt: number } | undefined;
  const readStep = async (): Promise<number> => {
    if (plan === undefined || clock.steadyMs() - plan.readAt > planKeptMs)
      plan = { step: (await beginPlan(db, egress)).step, readAt: clock.steadyMs() };
    return plan.step;
  };
  const exchanges = new Batch<Exchange, Map<Exchange, ShareGrant>>({
    call: async (items) => exchangeAll(db, { egress, holder, step: await readStep() }, items),
  });
  return {
    isShared: true,
    async exchange(provider, limit, report) {
      const exchange = { provider, limit, report };
      const grants = await exchanges.add(exchange);
      return grants.get(exchange) as ShareGrant;
    },
  };
}

interface Sharer {
  readonly egress: string;
  readonly holder: string;
  /** Of the plan of a new address. */
  readonly step: number;
}

function exchangeAll(
  db: Db,
  { egress, holder, step }: Sharer,
  items: readonly Exchange[],
): Promise<Map<Exchange, ShareGrant>> {
  return db.transaction().execute(async (tx) => {
    const providers = [...new Set(items.map(({ provider }) => provider))];
    const states = await lockStates(tx, egress, providers);
    const grants = new Map<Exchange, ShareGrant>();
    for (const item of items) {
      const found = states.get(item.provider);
      if (found === undefined) throw new Error(`The shares of ${item.provider} are gone.`);
      const { state, now } = found;
      const { limit, provider, report } = item;
      const inForce = isTestDomain(provider) ? ofTests : { ...limit, share: limit.share / 2 ** step };
      grants.set(item, exchangeShares(state, inForce, { holder, report, now }));
    }
    await saveStates(tx, egress, states);
    return grants;
  });
}
