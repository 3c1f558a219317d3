import type { PlanCode } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { decidePlan, findSurplus, type PlanState } from './decide-plan.ts';
import type { RemoteSubscription } from './payments-gateway.ts';
import { day, invoiceFor, remote, tier } from './testing/remote-state.ts';

const now = new Date('2026-03-10T12:00:00Z');

const plan = (planCode: PlanCode, changes: Partial<PlanState> = {}): PlanState => ({
  planCode,
  anchoredAt: day('02-05'),
  nextRenewalAt: day('04-05'),
  pastDueSince: null,
  subscriptionReference: 'sub_1',
  pendingKind: null,
  pendingPlanCode: null,
  pendingAt: null,
  owed: null,
  ...changes,
});
const freeOfCharge = (code: PlanCode) => {
  const invoice = invoiceFor(code);
  return { ...invoice, months: invoice.months.map((month) => ({ ...month, costCents: 0 })) };
};
const codeAfter = (before: PlanState, ...subscriptions: RemoteSubscription[]) =>
  decidePlan(before, subscriptions, now).after.planCode;

describe('decidePlan', () => {
  it('a more expensive plan starts when its invoice is paid', () => {
    expect(codeAfter(plan('2K'), remote('10K'))).toBe('10K');
    expect(codeAfter(plan('2K'), remote('10K', { isPaid: false }))).toBe('2K');
    expect(codeAfter(plan('FREE'), remote('10K', { isPaid: false, state: 'overdue' }))).toBe('FREE');
  });

  it('a plan is paid for by one of several months of its invoice', () => {
    const { months } = invoiceFor('10K');
    const latestInvoice = invoiceFor('10K', { months: [...invoiceFor('2K').months, ...months] });

    expect(codeAfter(plan('2K'), remote('10K', { latestInvoice }))).toBe('10K');
  });

  it('a change from one paid plan to another is no change to Free', () => {
    expect(decidePlan(plan('10K'), [remote('50K')], now).becameFreeAt).toBeNull();
  });

  it('a more expensive plan does not start with the paid invoice of another plan', () => {
    const switched = { ...remote('2K'), plan: tier('1M') };

    expect(codeAfter(plan('2K'), switched)).toBe('2K');
  });

  it.each([
    ['without an invoice', { latestInvoice: null }],
    ['with a month for 0', { latestInvoice: freeOfCharge('10K') }],
    ['while its payment is overdue', { state: 'overdue' }],
  ] as const)('a more expensive plan does not start %s', (_, changes) => {
    expect(codeAfter(plan('2K'), remote('10K', changes))).toBe('2K');
  });

  it('a plan that is no longer in the price list counts as Free', () => {
    const retired = { ...plan('FREE'), planCode: 'RETIRED' };

    expect(codeAfter(retired, remote('2K', { isPaid: false }))).toBe('FREE');
    expect(codeAfter(retired, remote('2K'))).toBe('2K');
  });

  it('a paid plan has the dates of its subscription', () => {
    expect(decidePlan(plan('FREE'), [remote('10K')], now)).toMatchObject({
      after: { anchoredAt: day('03-08'), nextRenewalAt: day('04-08'), subscriptionReference: 'sub_1' },
      becameFreeAt: null,
    });
  });

  it('an unpaid subscription leaves the dates of Free as they are', () => {
    const before = plan('FREE', { anchoredAt: day('02-20'), nextRenewalAt: day('03-20') });

    expect(decidePlan(before, [remote('10K', { isPaid: false })], now).after).toMatchObject({
      anchoredAt: day('02-20'),
      nextRenewalAt: day('03-20'),
    });
  });

  it('a cheaper plan starts when the provider has switched', () => {
    expect(codeAfter(plan('50K'), remote('10K', { isPaid: false }))).toBe('10K');
    expect(codeAfter(plan('50K'), remote('FREE', { isPaid: false }))).toBe('FREE');
  });

  it('an overdue payment keeps the plan and the moment it was first seen', () => {
    const first = decidePlan(plan('10K'), [remote('10K', { state: 'overdue', isPaid: false })], now).after;
    expect(first).toMatchObject({ planCode: '10K', pastDueSince: now });

    const later = new Date('2026-03-12T00:00:00Z');
    const second = decidePlan(first, [remote('10K', { state: 'overdue', isPaid: false })], later).after;
    expect(second.pastDueSince).toEqual(now);
    expect(decidePlan(second, [remote('10K')], later).after.pastDueSince).toBeNull();
  });

  it('Free keeps our own dates', () => {
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

  it('an ended plan becomes Free at its end and renews a month later', () => {
    const ended = remote('10K', { state: 'ended', endedAt: day('03-09') });

    expect(decidePlan(plan('10K'), [ended], now)).toMatchObject({
      after: { planCode: 'FREE', anchoredAt: day('03-09'), nextRenewalAt: day('04-09') },
      becameFreeAt: day('03-09'),
    });
  });

  it('a plan switched to Free becomes Free at the start of the free period', () => {
    expect(decidePlan(plan('10K'), [remote('FREE')], now)).toMatchObject({
      after: { planCode: 'FREE', anchoredAt: day('03-08'), nextRenewalAt: day('04-08') },
      becameFreeAt: day('03-08'),
    });
  });

  it('a plan whose subscription is gone becomes Free now', () => {
    const other = remote('50K', { id: 'sub_2', state: 'ended', endedAt: day('01-09') });

    expect(decidePlan(plan('10K'), [other], now)).toMatchObject({
      after: { planCode: 'FREE', anchoredAt: now },
      becameFreeAt: now,
    });
  });

  it('a scheduled change has its kind, plan and date', () => {
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

  it('a cancelled Free plan has no scheduled change', () => {
    const end = { kind: 'cancellation', plan: tier('FREE'), at: day('04-08') } as const;

    expect(decidePlan(plan('FREE'), [remote('FREE', { pendingChange: end })], now).after).toMatchObject({
      pendingKind: null,
      pendingPlanCode: null,
      pendingAt: null,
    });
  });

  it('of several subscriptions the newest active paid one decides, and the others are surplus', () => {
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
    expect(findSurplus(all.toReversed()).map(({ id }) => id)).toEqual(['sub_older', 'sub_owing', 'sub_free']);
  });
});
