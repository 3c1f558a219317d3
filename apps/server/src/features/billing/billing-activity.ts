import type { AutomaticTopUpOrder, TopUpStop } from '@assay/contract';
import type { Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type Actor, recordActivity } from '../activity/index.ts';
import type { TopUpSettings } from './top-up/top-up.store.ts';

const counts = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const money = (cents: number): string => dollars.format(cents / 100);

export interface PaidPack {
  readonly code: string;
  readonly paidCents: number;
  readonly isAutomatic: boolean;
}

/** The provider's events do not say who paid. The call that opened the checkout is an entry of its own. */
export const recordPack = (
  tx: Tx,
  ownerId: AccountId,
  { code, paidCents, isAutomatic }: PaidPack,
  now: Date,
): Promise<void> => {
  const about = `${code} pack, ${money(paidCents)}${isAutomatic ? ', automatic top-up' : ''}`;
  return recordActivity(tx, { accountId: ownerId }, { kind: 'credits.bought', about, now });
};

/** Records what a customer chose, unless it is what they had. */
export async function recordTopUpChange(
  tx: Tx,
  actor: Actor,
  { before, order, now }: { before: TopUpSettings | undefined; order: AutomaticTopUpOrder; now: Date },
): Promise<void> {
  const detail = topUpDetail(order.pack, order.below, order.monthly_cap_in_cents);
  const hasSwitched = order.is_on !== (before?.isOn ?? false);
  if (!hasSwitched && before && detail === topUpDetail(before.packCode, before.below, before.monthlyCapCents))
    return;
  const switched = order.is_on ? 'credits.top_up_on' : 'credits.top_up_off';
  const kind = hasSwitched ? switched : 'credits.top_up_changed';
  const about = hasSwitched || order.is_on ? detail : `${detail}, still off`;
  await recordActivity(tx, actor, { kind, about, now });
}

const topUpDetail = (pack: string, below: number, capCents: number): string =>
  `${pack} pack below ${counts.format(below)} credits, up to ${money(capCents)} a month`;

const stopWords: Readonly<Record<TopUpStop, string>> = {
  declined: 'The card was declined',
  requires_action: 'The bank asked for a confirmation',
  no_card: 'No card is saved',
  disputed: 'A payment is disputed',
  unreachable: 'The payment could not be confirmed for a day',
};

export const recordTopUpStop = (tx: Tx, ownerId: AccountId, because: TopUpStop, now: Date): Promise<void> =>
  recordActivity(
    tx,
    { accountId: ownerId },
    { kind: 'credits.top_up_stopped', about: stopWords[because], now },
  );

export const recordReachedCap = (tx: Tx, ownerId: AccountId, capCents: number, now: Date): Promise<void> =>
  recordActivity(
    tx,
    { accountId: ownerId },
    { kind: 'credits.top_up_cap_reached', about: money(capCents), now },
  );

export const recordFailedPayment = (
  tx: Tx,
  ownerId: AccountId,
  owedCents: number | undefined,
  now: Date,
): Promise<void> => {
  const about = owedCents === undefined ? undefined : money(owedCents);
  return recordActivity(tx, { accountId: ownerId }, { kind: 'plan.payment_failed', about, now });
};

export const alertsDetail = (thresholds: readonly number[]): string =>
  thresholds.length === 0
    ? 'None'
    : `Below ${thresholds.map((threshold) => counts.format(threshold)).join(' and ')} credits`;
