import { invalidRequest } from '../errors.ts';
import type { CardAftermath, CardDecline } from '../store/tables.ts';

/** A card of the documented test numbers. `onSetup` is met when it is saved or first charged, `onCharge` when charged. */
export interface TestCard {
  number: string;
  /** The id under which tests can attach it without a number. */
  name: string;
  brand: string;
  onSetup: CardDecline | null;
  onCharge: CardDecline | null;
  /** What follows a while after it has paid. */
  afterwards?: CardAftermath;
  /** What the page says of it. */
  note: string;
}

const declined: CardDecline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
const needsAuthentication: CardDecline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};
const pays = { onSetup: null, onCharge: null };

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', name: 'pm_card_visa', brand: 'visa', ...pays, note: 'pays' },
  {
    number: '4000000000000341',
    name: 'pm_card_chargeCustomerFail',
    brand: 'visa',
    onSetup: null,
    onCharge: declined,
    note: 'can be saved, is declined when charged',
  },
  {
    number: '4000000000000002',
    name: 'pm_card_chargeDeclined',
    brand: 'visa',
    onSetup: declined,
    onCharge: declined,
    note: 'is declined',
  },
  {
    number: '4000002760003184',
    name: 'pm_card_authenticationRequired',
    brand: 'visa',
    onSetup: null,
    onCharge: needsAuthentication,
    note: 'can be saved, asks for authentication when charged',
  },
  {
    number: '4000000000000259',
    name: 'pm_card_createDispute',
    brand: 'visa',
    ...pays,
    afterwards: 'dispute',
    note: 'pays, and is disputed ten seconds later',
  },
  {
    number: '4000000000005126',
    name: 'pm_card_refundFail',
    brand: 'visa',
    ...pays,
    afterwards: 'refund_failure',
    note: 'pays, and a refund of it fails ten seconds later',
  },
];

/** Any other number may be a real card: it is refused, and never kept. */
export const notATestCard: CardDecline = {
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'Your card was declined. These are test payments: use one of the test cards.',
};

export const findTestCard = (digits: string): TestCard | undefined =>
  testCards.find((card) => card.number === digits);

export function getTestCardByName(name: string): TestCard {
  const card = testCards.find((candidate) => candidate.name === name);
  if (card === undefined)
    throw invalidRequest(`No such PaymentMethod: '${name}'`, { code: 'resource_missing' });
  return card;
}
