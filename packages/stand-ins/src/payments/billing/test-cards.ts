import { hash } from 'node:crypto';
import { type CardDecline, missingResource } from '../errors.ts';
import type { Tables } from '../store/tables.ts';

/** A card of the documented test numbers. */
export interface TestCard {
  number: string;
  /** The id under which tests can attach it without a number. */
  name: string;
  /** Met when it is saved or first charged. */
  onSetup?: CardDecline;
  onCharge?: CardDecline;
  /** What follows a while after it has paid. */
  afterwards?: Tables['aftermath']['kind'];
  /** What the page says of it. */
  note: string;
}

const declined: CardDecline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};
const needsAuthentication: CardDecline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', name: 'pm_card_visa', note: 'pays' },
  {
    number: '4000000000000341',
    name: 'pm_card_chargeCustomerFail',
    onCharge: declined,
    note: 'can be saved, is declined when charged',
  },
  { number: '4000000000000002', name: 'pm_card_chargeDeclined', onSetup: declined, note: 'is declined' },
  {
    number: '4000002760003184',
    name: 'pm_card_authenticationRequired',
    onCharge: needsAuthentication,
    note: 'can be saved, asks for authentication when charged',
  },
  {
    number: '4000000000000259',
    name: 'pm_card_createDispute',
    afterwards: 'dispute',
    note: 'pays, and is disputed ten seconds later',
  },
  {
    number: '4000000000005126',
    name: 'pm_card_refundFail',
    afterwards: 'refund_failure',
    note: 'pays, and a refund of it fails ten seconds later',
  },
];

/** Any other number may be a real card: it is refused, and never kept. */
export const notATestCard: CardDecline = {
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message: 'Your card was declined. These are test payments: use one of the test cards.',
};

export const fingerprintOf = ({ number }: TestCard): string =>
  hash('sha256', number, 'base64url').slice(0, 16);

const cardsByFingerprint = new Map(testCards.map((card) => [fingerprintOf(card), card]));

export const findTestCardBy = (fingerprint: string): TestCard | undefined =>
  cardsByFingerprint.get(fingerprint);

export function getTestCardByName(name: string): TestCard {
  const card = testCards.find((candidate) => candidate.name === name);
  if (card === undefined) throw missingResource('PaymentMethod', name);
  return card;
}
