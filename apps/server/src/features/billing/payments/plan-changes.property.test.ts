import { FREE_PLAN, findPlan, PLAN_TIERS, type PlanCode } from '@assay/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

type Step =
  | { do: 'upgrade' | 'downgrade'; to: PlanCode }
  | {
      do:
        | 'cancel'
        | 'keep the plan'
        | 'end at once'
        | 'repeat all events'
        | 'refund the last payment'
        | 'win a dispute';
    }
  | { do: 'use a card'; card: (typeof cards)[number] }
  | { do: 'wait'; days: number }
  | { do: 'spend'; share: number };

/** A card that pays, one that is declined, one with disputed payments and one with failing refunds. */
const cards = [
  'pm_card_visa',
  'pm_card_chargeCustomerFail',
  'pm_card_createDispute',
  'pm_card_refundFail',
] as const;

const planCode = fc.constantFrom(...PLAN_TIERS.map(({ code }) => code));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('upgrade', 'downgrade'), to: planCode }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'cancel',
        'keep the plan',
        'end at once',
        'repeat all events',
        'refund the last payment',
        'win a dispute',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('use a card'), card: fc.constantFrom(...cards) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.integer({ min: 1, max: 45 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('spend'), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
);

describe('no sequence of plan changes', () => {
  let shop: PaidShop;

  beforeAll(async () => {
    shop = await openPaidShop();
  });
  afterAll(() => shop.close());

  /** Runs a step and ignores what Stripe refuses. */
  async function take(jane: Subscriber, step: Step): Promise<void> {
    const refusedIsFine = async (change: Promise<void>) => {
      await change.catch((error: { type?: string }) => {
        if (!error.type?.startsWith('Stripe')) throw error;
      });
    };
    if (step.do === 'upgrade') {
      const plan = findPlan(step.to) ?? FREE_PLAN;
      const current = (await jane.wallet()).subscription.plan;
      if (plan.monthlyCostCents > current.monthly_cost_in_cents) await refusedIsFine(jane.upgradeTo(step.to));
    } else if (step.do === 'downgrade') await refusedIsFine(jane.downgradeTo(step.to));
    else if (step.do === 'cancel') await refusedIsFine(jane.cancelAtMonthsEnd());
    else if (step.do === 'keep the plan') await keepPlan(jane);
    else if (step.do === 'end at once') await endAtOnce(jane);
    else if (step.do === 'use a card') await jane.useCard(step.card);
    else if (step.do === 'refund the last payment') await refusedIsFine(refundLastPayment(jane));
    else if (step.do === 'win a dispute') await refusedIsFine(winDispute(jane));
    else if (step.do === 'wait')
      await shop.advanceTo(new Date(shop.now().getTime() + step.days * 86_400_000));
    else if (step.do === 'spend') {
      const credits = Math.floor((await jane.wallet()).balance * step.share);
      if (credits > 0) await jane.spend(credits);
    } else {
      const { data } = await shop.stripe.events.list({ limit: 100 });
      for (const event of data) await shop.payments.webhooks.resend(event.id);
    }
  }

  async function keepPlan(jane: Subscriber): Promise<void> {
    const path = '/billing/me/subscriptions/pending_change';
    const answer = await shop.api.call('DELETE', path, { token: await jane.token() });
    expect([204, 409]).toContain(answer.statusCode);
    await shop.payments.webhooks.settled();
    if (answer.statusCode === 204) expect((await jane.wallet()).subscription.pending_change).toBeNull();
  }

  /** What an operator can do in Stripe's dashboard. */
  async function endAtOnce(jane: Subscriber): Promise<void> {
    const { subscriptionReference } = await jane.account();
    if (subscriptionReference) await shop.stripe.subscriptions.cancel(subscriptionReference);
    await shop.payments.webhooks.settled();
    await shop.maintain();
  }

  const chargesOf = async ({ customerId }: Subscriber) =>
    (await shop.stripe.charges.list({ customer: customerId, limit: 100 })).data.filter(({ paid }) => paid);

  async function refundLastPayment(jane: Subscriber): Promise<void> {
    const [last] = await chargesOf(jane);
    if (last && !last.disputed) await shop.stripe.refunds.create({ charge: last.id });
    await shop.payments.webhooks.settled();
  }

  async function winDispute(jane: Subscriber): Promise<void> {
    const disputed = (await chargesOf(jane)).find((charge) => charge.disputed);
    if (!disputed) return;
    const [dispute] = (await shop.stripe.disputes.list({ charge: disputed.id })).data;
    await shop.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await shop.payments.webhooks.settled();
  }

  /** The credits of payments whose money went back. */
  async function creditsUnpaid(jane: Subscriber): Promise<number> {
    let credits = 0;
    for (const charge of await chargesOf(jane)) {
      const disputes = (await shop.stripe.disputes.list({ charge: charge.id })).data;
      const isGone = charge.refunded || disputes.some(({ status }) => status !== 'won');
      const plan = PLAN_TIERS.find(({ monthlyCostCents }) => monthlyCostCents === charge.amount);
      if (isGone) credits += plan?.monthlyCredits ?? 0;
    }
    return credits;
  }

  it('yields credits that were not paid for, or misses any that were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 12 }), async (steps) => {
        const jane = await shop.signUp({ card: 'pm_card_visa' });
        for (const step of steps) {
          await take(jane, step);
          expect(new Date((await jane.wallet()).subscription.next_renewal_date) > shop.now()).toBe(true);
        }
        await shop.payments.webhooks.settled();

        const invoices = await shop.stripe.invoices
          .list({ customer: jane.customerId, status: 'paid' })
          .autoPagingToArray({ limit: 1_000 });
        const paidFor = invoices
          .map(({ total }) => PLAN_TIERS.find(({ monthlyCostCents }) => monthlyCostCents === total))
          .filter((plan) => plan !== undefined && plan.monthlyCostCents > 0)
          .reduce((sum, plan) => sum + (plan?.monthlyCredits ?? 0), 0);
        const history = await jane.history();
        const sumOf = (category: string, source: string) =>
          history
            .filter((entry) => entry.category === category && entry.source === source)
            .reduce((sum, { amount }) => sum + amount, 0);
        expect(sumOf('PURCHASE', 'SUBSCRIPTION')).toBe(paidFor);

        // Credits spent before a refund stay spent. Money that we keep takes no credits.
        const takenBack = 0 - sumOf('REFUND', 'SUBSCRIPTION');
        expect(takenBack).toBeGreaterThanOrEqual(0);
        expect(takenBack).toBeLessThanOrEqual(await creditsUnpaid(jane));

        // At most one month of free credits per month, whatever the plans in between.
        const topUps = history.filter(({ source }) => source === 'FREE_PLAN');
        for (const [index, { amount, creation_date }] of topUps.entries()) {
          expect(amount).toBeLessThanOrEqual(FREE_PLAN.monthlyCredits);
          const before = topUps[index - 1] ?? history[0];
          const days = (Date.parse(creation_date) - Date.parse(before?.creation_date ?? '')) / 86_400_000;
          expect(days).toBeGreaterThanOrEqual(27);
        }
        const given = history
          .filter(({ amount }) => amount > 0)
          .map(({ category, source }) => `${category} ${source}`);
        expect(new Set(given).difference(allowed)).toEqual(new Set());
        expect(await shop.audit()).toEqual([]);
      }),
      { numRuns: 6, endOnFailure: true },
    );
  }, 600_000);

  const allowed = new Set([
    ...['GRANT SIGN_UP', 'GRANT FREE_PLAN', 'PURCHASE SUBSCRIPTION'],
    // Credits returned after an undone reversal.
    'REFUND SUBSCRIPTION',
  ]);
});
