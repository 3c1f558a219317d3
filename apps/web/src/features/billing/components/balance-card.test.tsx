import type { PaymentMethod, Wallet } from '@assay/contract';
import { expect, it } from 'vitest';
import { renderLoaded } from '../../../shared/testing/render-markup.tsx';
import { BalanceCard } from './balance-card.tsx';

const textWith = (card: PaymentMethod['card']): string =>
  renderLoaded(<BalanceCard wallet={{ balance: 3_000, held: 0, frozen: 0 } as Wallet} />, [
    [['billing', 'payment-method'], { card }],
  ]).text;

it('a customer without a saved card, who may have paid for packs, reads that packs save none', () => {
  expect(textWith(null)).toContain('Saved card None packs are paid without saving one');
});

it('names the card that plans and automatic top-ups use', () => {
  const card = { brand: 'visa', last4: '4242', expiry_month: 12, expiry_year: 2039 };
  expect(textWith(card)).toContain('Saved card Visa ending in 4242 expires 12/2039');
});
