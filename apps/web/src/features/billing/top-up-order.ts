import {
  type AutomaticTopUpOrder,
  CREDIT_PACKS,
  CUSTOM_PLAN_MONTHLY_CREDITS_MAX,
  TOP_UP_CAP_CENTS_MAX,
} from '@assay/contract';

/** What is typed in the form. */
export interface TypedTopUp {
  readonly isOn: boolean;
  readonly below: string;
  readonly pack: AutomaticTopUpOrder['pack'];
  readonly capDollars: string;
}

const numberOf = (text: string): number =>
  /^\d[\d,]{0,12}$/.test(text.trim()) ? Number(text.replaceAll(',', '')) : Number.NaN;

/** The order, or what is wrong with a field. */
export function readTopUp(
  typed: TypedTopUp,
):
  | { readonly order: AutomaticTopUpOrder }
  | { readonly errors: { readonly below?: string; readonly cap?: string } } {
  const below = numberOf(typed.below);
  const capCents = numberOf(typed.capDollars) * 100;
  const price = CREDIT_PACKS.find(({ code }) => code === typed.pack)?.monthlyCostCents ?? 0;
  const errors = {
    ...(!(below > 0) && { below: 'Enter a whole number above 0' }),
    ...(!(capCents > 0)
      ? { cap: 'Enter whole dollars above 0' }
      : typed.isOn && capCents < price && { cap: 'The cap is below the price of the pack' }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const isTooMuch = below > CUSTOM_PLAN_MONTHLY_CREDITS_MAX || capCents > TOP_UP_CAP_CENTS_MAX;
  if (isTooMuch) return { errors: { cap: 'Enter smaller numbers' } };
  return { order: { is_on: typed.isOn, below, pack: typed.pack, monthly_cap_in_cents: capCents } };
}

/** Whether the card is charged as soon as this is saved: the balance is low already, and the cap has room. */
export function buysAtOnce(
  order: AutomaticTopUpOrder,
  { spent_this_month_in_cents }: { readonly spent_this_month_in_cents: number },
  balance: number,
): boolean {
  const price = CREDIT_PACKS.find(({ code }) => code === order.pack)?.monthlyCostCents ?? 0;
  const hasRoom = spent_this_month_in_cents + price <= order.monthly_cap_in_cents;
  return order.is_on && balance < order.below && hasRoom;
}
