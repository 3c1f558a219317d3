import type { IncomingHttpHeaders } from 'node:http';
import type { InvoiceDetails, PlanTier } from '@assay/contract';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';

// The payment provider in our own terms. Only the files named stripe.* know Stripe's.

export interface RemoteInvoice {
  readonly id: string;
  readonly customerId: string;
  readonly isPaid: boolean;
  /** What is to be paid of an open invoice; 0 for any other. */
  readonly dueCents: number;
  readonly issuedAt: Date;
  readonly totalCents: number;
  /** The money that moved: less than the total when a balance at the provider paid a part. */
  readonly paidCents: number;
  readonly paidAt: Date | null;
  /** Full months of a plan, without prorated lines. */
  readonly months: readonly PaidMonth[];
}

/** A payment that is made once, outside subscriptions. */
export interface RemotePayment {
  readonly id: string;
  readonly customerId: string;
  readonly isPaid: boolean;
  readonly paidCents: number;
  readonly paidAt: Date;
  /** Undefined for a payment that is not for a credit pack. */
  readonly pack: PlanTier | undefined;
  /** What the pack cost when the payment was opened. */
  readonly priceCents: number;
  /** The order of an automatic top-up; null for a payment that the customer made. */
  readonly orderId: string | null;
}

interface RemoteCard {
  readonly id: string;
  /** The same for one card number, however often and by whomever it is saved. */
  readonly mark: string;
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** Where an invoice or a receipt can be seen. A receipt has no PDF. */
export interface InvoiceLinks {
  readonly pageUrl: string;
  readonly pdfUrl: string | null;
}

/** `canceled` when another process has ended the payment: no bank was asked. */
export type ChargeOutcome = 'paid' | 'processing' | 'declined' | 'requires_action' | 'canceled';

/** The page where a credit pack is paid. */
export interface RemoteCheckout {
  readonly customerId: string;
  readonly state: 'open' | 'complete' | 'expired';
  readonly expiresAt: Date;
  readonly paymentId: string | null;
}

export interface PaidMonth {
  readonly plan: PlanTier;
  readonly quantity: number;
  readonly costCents: number;
  readonly begin: Date;
  readonly end: Date;
}

export interface RemoteSubscription {
  readonly id: string;
  /** `pending` was never paid, so it changes nothing. */
  readonly state: 'active' | 'overdue' | 'pending' | 'ended';
  readonly plan: PlanTier;
  readonly createdAt: Date;
  /** Renewals keep the day and time of this moment. */
  readonly anchoredAt: Date;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly endedAt: Date | null;
  readonly latestInvoice: RemoteInvoice | null;
  readonly pendingChange: PlannedChange | null;
}

/** A scheduled change of plan. A cancellation leads to Free. */
export interface PlannedChange {
  readonly kind: 'plan_change' | 'cancellation';
  readonly plan: PlanTier;
  readonly at: Date;
}

/** Money that went back to the customer: our refund, or a dispute through their bank. */
export interface Reversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly amountCents: number;
  /** True for a failed refund and a dispute that we won: the money came back to us. */
  readonly isUndone: boolean;
  /** False while a dispute is not decided. */
  readonly isDecided: boolean;
}

export interface ReversedCharge {
  readonly id: string;
  readonly amountCents: number;
  readonly paymentId: string | null;
  /** The invoice that the charge paid, if any. */
  readonly invoiceId: string | null;
  /** Only reversals that moved money, without inquiries and pending refunds. */
  readonly reversals: readonly Reversal[];
}

/** An event at the provider, and which object to fetch because of it. */
export type PaymentEvent = { readonly id: string; readonly type: string } & (
  | { readonly about: 'invoice'; readonly customerId: string; readonly invoiceId: string }
  | { readonly about: 'payment'; readonly customerId: string; readonly paymentId: string }
  | { readonly about: 'subscription'; readonly customerId: string }
  | { readonly about: 'reversal'; readonly chargeId: string }
  | { readonly about: 'customer_deleted'; readonly customerId: string }
  | { readonly about: 'nothing' }
);

/** The provider refused a request. Repeating it gives the same answer. */
export class PaymentsRefused extends Error {
  override readonly name: string = 'PaymentsRefused';
}

/** The provider does not know what the request is about. */
export class PaymentsMissing extends PaymentsRefused {
  override readonly name = 'PaymentsMissing';
}

/** Whether the provider did not answer. Every other failure is about one customer, and the provider is up. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'payments_unavailable';

export interface PaymentsGateway {
  /** Throws unless the provider signed the body with our secret within the last minutes. */
  readEvent(rawBody: Buffer, headers: IncomingHttpHeaders, now: Date): PaymentEvent;
  createCustomer(order: { ownerId: AccountId; email: string; setupKey: string }): Promise<string>;
  isCustomer(customerId: string): Promise<boolean>;
  /** Changes the address for receipts. Does nothing when the customer is gone. */
  changeAddress(customerId: string, email: string): Promise<void>;
  /** Deletes the customer with all subscriptions. Does nothing when they are already gone. */
  deleteCustomer(customerId: string): Promise<void>;
  createFreeSubscription(order: { customerId: string; setupKey: string }): Promise<void>;
  /** All subscriptions of a customer, including ended ones. */
  findSubscriptions(customerId: string): Promise<RemoteSubscription[]>;
  /** Ends it at once. Does nothing when it has already ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** Undoes the scheduled change or cancellation. Does nothing when there is none. */
  keepPlan(subscriptionId: string): Promise<void>;
  findInvoice(invoiceId: string): Promise<RemoteInvoice>;
  findPaidInvoices(order: { customerId: string; since: Date }): Promise<RemoteInvoice[]>;
  /** The page of an invoice, or of what a payment has instead. */
  findInvoicePage(reference: string): Promise<InvoiceLinks | null>;
  /**
   * Writes an invoice for a succeeded payment that has none. Returns false if it cannot have one: the customer is gone, or has a
   * balance at the provider, which an invoice would use up.
   */
  writeInvoice(paymentId: string): Promise<boolean>;
  /** Undefined when there is no such payment. */
  findPayment(paymentId: string): Promise<RemotePayment | undefined>;
  /** All payments of a customer since a date, unpaid ones and those of invoices included. */
  findPayments(order: { customerId: string; since: Date }): Promise<RemotePayment[]>;
  /** The customer who was charged; null when the charge has no customer. */
  findPayer(chargeId: string): Promise<string | null>;
  findReversedCharge(chargeId: string): Promise<ReversedCharge>;
  /** The ids of charges since a date that have refunds or disputes, in whatever state. */
  findReversedChargeIds(order: { customerId: string; since: Date }): Promise<string[]>;
  hasCard(customerId: string): Promise<boolean>;
  /** The card that is charged without the customer: their default one, or else the newest. */
  findCard(customerId: string): Promise<RemoteCard | undefined>;
  /** Opens a payment with a saved card and charges nothing yet. Repeating an order gives the same payment, for a day. */
  openPackPayment(order: {
    customerId: string;
    pack: PlanTier;
    priceCents: number;
    cardId: string;
    orderId: string;
  }): Promise<string>;
  /**
   * Charges the card of an opened payment without the customer, once, however often and by whom it is called. Right before,
   * it asks whether the payment is still wanted, and cancels it if not.
   */
  chargePayment(paymentId: string, isStillWanted: () => Promise<boolean>): Promise<ChargeOutcome>;
  /** Ends an opened payment, so that nothing can charge it later, unless it is or may be paid already. */
  cancelPayment(paymentId: string): Promise<'canceled' | 'paid' | 'processing'>;
  /** What invoices say about the customer; undefined when the customer is gone. */
  findInvoiceDetails(customerId: string): Promise<InvoiceDetails | undefined>;
  /** False if the tax number is not one of its country; then nothing changes. */
  setInvoiceDetails(customerId: string, details: InvoiceDetails): Promise<boolean>;
  /** The portal's front page, the page that confirms one plan, or the page that takes a card. */
  openPortal(order: {
    customerId: string;
    returnUrl: string;
    change?: { subscriptionId: string; plan: PlanTier };
    takesCard?: boolean;
  }): Promise<string>;
  /** A page where the customer enters a card and pays the first month. */
  openCheckout(order: { customerId: string; plan: PlanTier; returnUrl: string }): Promise<string>;
  /** A page where the customer pays a pack once. `returnUrlOf` gets the text that the provider replaces by the id. */
  openPackCheckout(order: {
    customerId: string;
    pack: PlanTier;
    returnUrlOf: (checkoutId: string) => string;
    cancelUrl: string;
  }): Promise<{ id: string; url: string }>;
  /** Undefined when there is no such checkout. */
  findCheckout(checkoutId: string): Promise<RemoteCheckout | undefined>;
}

/** A customer at the provider that an installation of ours made. */
export interface MadeCustomer {
  readonly id: string;
  readonly createdAt: Date | null;
  /** The user that it was made for, as the provider has it. */
  readonly madeFor: string;
}

/** All customers that installations of ours made, known here or not. */
export interface MadeCustomers {
  /** Newest first. */
  pagesSince(since: Date): AsyncIterable<MadeCustomer[]>;
  /** The customer, or nothing. */
  find(customerId: string): Promise<MadeCustomer[]>;
  /** Whether the customer has a subscription that costs something and has not ended. */
  isPaying(customerId: string): Promise<boolean>;
  delete(customerId: string): Promise<void>;
}
