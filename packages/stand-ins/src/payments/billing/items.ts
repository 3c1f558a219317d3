import type { Seconds } from '../clock.ts';
import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Plan, Price, Subscription, SubscriptionItem } from '../wire.ts';
import type { World } from '../world.ts';
import { amountOf } from './money.ts';
import { periodEndAfter, type Recurrence } from './periods.ts';

export interface Period {
  start: Seconds;
  end: Seconds;
}

export function buildItem(
  world: World,
  item: {
    subscription: string;
    price: Price;
    quantity: number;
    metadata: Record<string, string>;
    period: Period;
  },
): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: world.clock.seconds(),
    current_period_end: item.period.end,
    current_period_start: item.period.start,
    current_trial: null,
    discounts: [],
    metadata: item.metadata,
    plan: planOf(item.price),
    price: item.price,
    quantity: item.quantity,
    subscription: item.subscription,
    tax_rates: [],
  };
}

export const withPrice = (item: SubscriptionItem, price: Price, quantity: number): SubscriptionItem => ({
  ...item,
  plan: planOf(price),
  price,
  quantity,
});

export const withPeriod = (item: SubscriptionItem, period: Period): SubscriptionItem => ({
  ...item,
  current_period_start: period.start,
  current_period_end: period.end,
});

export const itemsOf = (subscription: Subscription): SubscriptionItem[] => subscription.items.data;

export const listOfItems = (subscription: string, items: SubscriptionItem[]): Subscription['items'] => ({
  object: 'list',
  data: items,
  has_more: false,
  url: `/v1/subscription_items?subscription=${subscription}`,
});

/** All items of a subscription share one period here: prices with different intervals are turned down. */
export function periodOf(subscription: Subscription): Period {
  const [item] = itemsOf(subscription);
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
}

export const costOf = (items: SubscriptionItem[]): number =>
  items.reduce((sum, item) => sum + amountOf(item.price, item.quantity), 0);

export function recurrenceOf(prices: Price[]): Recurrence {
  const [first] = prices;
  const recurring = first?.recurring;
  if (!recurring) throw invalidRequest('The price specified is not recurring.', { param: 'items' });
  const isMixed = prices.some(
    ({ recurring: other }) =>
      other?.interval !== recurring.interval || other.interval_count !== recurring.interval_count,
  );
  if (isMixed)
    throw invalidRequest('The stand-in bills all items of a subscription at one interval.', {
      param: 'items',
    });
  return recurring;
}

export function periodFrom(start: Seconds, anchor: Seconds, prices: Price[]): Period {
  return { start, end: periodEndAfter(start, anchor, recurrenceOf(prices)) };
}

/** The older name for a recurring price; the API still shows both. */
function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
