import type { TransactionCategory, TransactionSource } from '@assay/contract';

export const categoryNames: Readonly<Record<TransactionCategory, string>> = {
  GRANT: 'Credits granted',
  PURCHASE: 'Purchase',
  PACK: 'Credit pack',
  COUPON: 'Coupon',
  VERIFICATION: 'Verification',
  GUESSING: 'Guessing',
  REFUND: 'Refund',
  ADJUSTMENT: 'Adjustment',
};

export const sourceNames: Readonly<Record<TransactionSource, string>> = {
  SIGN_UP: 'Sign-up',
  FREE_PLAN: 'Free plan',
  SUBSCRIPTION: 'Subscription',
  CHECKOUT: 'Checkout',
  AUTOMATIC_TOP_UP: 'Automatic top-up',
  COUPON: 'Coupon',
  SINGLE: 'Single',
  LIST: 'List',
  SUPPORT: 'Support',
};

/** What the history shows. Empty is any. */
export interface HistoryFilter {
  readonly category: TransactionCategory | '';
  readonly source: TransactionSource | '';
  readonly showsZero: boolean;
  /** Each single check as an entry of its own, instead of those of a day and key together. */
  readonly showsChecks: boolean;
}

export const wholeHistory: HistoryFilter = { category: '', source: '', showsZero: false, showsChecks: false };

export const queryOf = ({ category, source, showsZero }: HistoryFilter) => ({
  ...(category !== '' && { category }),
  ...(source !== '' && { source }),
  ...(!showsZero && { hide_zero: true }),
});

const optionsOf = (names: Readonly<Record<string, string>>, any: string) => [
  { value: '', label: any },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
];
export const categoryOptions = optionsOf(categoryNames, 'All types');
export const sourceOptions = optionsOf(sourceNames, 'All sources');
