import type { PaymentMethod } from '@assay/contract';

const brandNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** 'Visa ending in 4242'. */
export const cardWords = ({ brand, last4 }: NonNullable<PaymentMethod['card']>): string =>
  `${brandNames[brand] ?? 'Card'} ending in ${last4}`;

/** '12/2027'. */
export const formatExpiry = ({ expiry_month, expiry_year }: NonNullable<PaymentMethod['card']>): string =>
  `${String(expiry_month).padStart(2, '0')}/${expiry_year}`;
