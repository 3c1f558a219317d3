import { findPlan, type PlanCode } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { decidePlan, findSurplus, type PlanState } from './decide-plan.ts';
import type { RemoteSubscription } from './payments-gateway.ts';

const now = new Date('2026-03-10T12:00:00Z');
const day = (date: string) => new Date(`2026-${date}T10:00:00Z`);

const plan = (planCode: PlanCode, changes: Partial<PlanState> = {}): PlanState => ({
  planCode,
  anchoredAt: day('02-05'),
  nextRenewalAt: day('04-05'),
  pastDueSince: null,
  subscriptionReference: 'sub_1',
  pendingKind: null,
  pendingPlanCode: null,
  pendingAt: null,
  ...changes,
});
const tier = (code: PlanCode) => {
  const found = findPlan(code);
  if (!found) throw new Error(`no plan ${code}`);
  return found;
};
const remote = (
  code: PlanCode,
  { isPaid = true, ...changes }: Partial<RemoteSubscription> & { isPaid?: boolean } = {},
): RemoteSubscription => ({
  id: 'sub_1',
  state: 'active',
  plan: tier(code),
  createdAt: day('01-01'),
  anchoredAt: day('03-08'),
  periodStart: day('03-08'),
  periodEnd: day('04-08'),
  endedAt: null,
  pendingChange: null,
  latestInvoice: {
    id: 'in_1',
    customerId: 'cus_1',
    isPaid,
    totalCents: tier(code).monthlyCostCents,
    paidAt: isPaid ? day('03-08') : null,
    months: [
      {
        plan: tier(code),
        quantity: 1,
        costCents: tier(code).monthlyCostCents,
        begin: day('03-08'),
        end: day('04-08'),
      },
    ],
  },
  ...changes,
});
const codeAfter = (before: PlanState, ...subscriptions: RemoteSubscription[]) =>
  decidePlan(before, subscriptions, now).after.planCode;

describe('decidePlan', () => {
  it('a dearer plan counts once its invoice is paid', () => {
    expect(codeAfter(plan('2K'), remote('10K'))).toBe('10K');
    expect(codeAfter(plan('2K'), remote('10K', { isPaid: false }))).toBe('2K');
    expect(codeAfter(plan('FREE'), remote('10K', { isPaid: false, state: 'overdue' }))).toBe('FREE');
  });

  it('a dearer plan does not count by the paid invoice of another plan', () => {
    const switched = { ...remote('2K'), plan: tier('1M') };

    expect(codeAfter(plan('2K'), switched)).toBe('2K');
  });

  it('a cheaper plan counts as soon as the provider has switched', () => {
    expect(codeAfter(plan('50K'), remote('10K', { isPaid: false }))).toBe('10K');
    expect(codeAfter(plan('50K'), remote('FREE', { isPaid: false }))).toBe('FREE');
  });

  it('an overdue payment changes nothing but is remembered from its first moment', () => {
    const first = decidePlan(plan('10K'), [remote('10K', { state: 'overdue', isPaid: false })], now).after;
    expect(first).toMatchObject({ planCode: '10K', pastDueSince: now });

    const later = new Date('2026-03-12T00:00:00Z');
    const second = decidePlan(first, [remote('10K', { state: 'overdue', isPaid: false })], later).after;
    expect(second.pastDueSince).toEqual(now);
    expect(decidePlan(second, [remote('10K')], later).after.pastDueSince).toBeNull();
  });

  it('while the plan is Free, its dates are ours', () => {
    const before = plan('FREE', { anchoredAt: day('02-20'), nextRenewalAt: day('03-20') });

    expect(decidePlan(before, [remote('FREE')], now).after).toMatchObject({
      anchoredAt: day('02-20'),
      nextRenewalAt: day('03-20'),
    });
    expect(decidePlan(before, [], now)).toMatchObject({
      after: { nextRenewalAt: day('03-20'), subscriptionReference: null },
      becameFreeAt: null,
    });
  });

  it('a plan that ended became Free when it ended, and renews a month after that', () => {
    const ended = remote('10K', { state: 'ended', endedAt: day('03-09') });

    expect(decidePlan(plan('10K'), [ended], now)).toMatchObject({
      after: { planCode: 'FREE', anchoredAt: day('03-09'), nextRenewalAt: day('04-09') },
      becameFreeAt: day('03-09'),
    });
  });

  it('a change that is still to come is known with its kind, plan and date', () => {
    const change = { kind: 'plan_change', plan: tier('10K'), at: day('04-08') } as const;
    const known = decidePlan(plan('50K'), [remote('50K', { pendingChange: change })], now).after;

    expect(known).toMatchObject({
      planCode: '50K',
      pendingKind: 'plan_change',
      pendingPlanCode: '10K',
      pendingAt: day('04-08'),
    });
    expect(decidePlan(known, [remote('50K')], now).after).toMatchObject({
      pendingKind: null,
      pendingAt: null,
    });
  });

  it('the end of a Free subscription is no change: the plan stays Free', () => {
    const end = { kind: 'cancellation', plan: tier('FREE'), at: day('04-08') } as const;

    expect(decidePlan(plan('FREE'), [remote('FREE', { pendingChange: end })], now).after).toMatchObject({
      pendingKind: null,
      pendingPlanCode: null,
      pendingAt: null,
    });
  });

  it('of several subscriptions the paid one in order and newest counts, and the others are too many', () => {
    const free = remote('FREE', { id: 'sub_free', createdAt: day('03-09') });
    const older = remote('50K', { id: 'sub_older', createdAt: day('03-01') });
    const newer = remote('10K', { id: 'sub_newer', createdAt: day('03-02') });
    const owing = remote('1M', { id: 'sub_owing', createdAt: day('03-03'), state: 'overdue' });
    const unborn = remote('1M', { id: 'sub_unborn', state: 'pending' });
    const all = [free, older, owing, newer, unborn];

    expect(decidePlan(plan('FREE'), all, now).after).toMatchObject({
      planCode: '10K',
      subscriptionReference: 'sub_newer',
    });
    expect(findSurplus(all).map(({ id }) => id)).toEqual(['sub_older', 'sub_owing', 'sub_free']);
  });
});
