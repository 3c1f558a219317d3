import type { IncomingHttpHeaders } from 'node:http';
import type { PlanTier } from '@assay/contract';

// What we know of the payment provider, in our own words. Only the files named stripe.* know the provider's.

export interface RemoteInvoice {
  readonly id: string;
  readonly customerId: string;
  readonly isPaid: boolean;
  /** What was asked for altogether, in cents. */
  readonly totalCents: number;
  readonly paidAt: Date | null;
  /** Full months of a plan; what is prorated is not among them. */
  readonly months: readonly PaidMonth[];
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
  /** `pending` has never been paid for, so nothing follows from it. */
  readonly state: 'active' | 'overdue' | 'pending' | 'ended';
  readonly plan: PlanTier;
  readonly createdAt: Date;
  /** The moment whose day and time the renewals keep. */
  readonly anchoredAt: Date;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly endedAt: Date | null;
  readonly latestInvoice: RemoteInvoice | null;
  /** What is arranged to happen to it later. */
  readonly pendingChange: PlannedChange | null;
}

/** A change of plan that is still to come. A cancellation leads to Free. */
export interface PlannedChange {
  readonly kind: 'plan_change' | 'cancellation';
  readonly plan: PlanTier;
  readonly at: Date;
}

/** Money that went back to the customer: by us, or by their bank when they disputed the charge. */
export interface Reversal {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  readonly amountCents: number;
  /** A refund that failed after all, or a dispute that was decided for us: the money is ours again. */
  readonly isUndone: boolean;
}

export interface ReversedCharge {
  readonly amountCents: number;
  /** The invoice that the charge paid, if it paid one. */
  readonly invoiceId: string | null;
  /** Those for which money moved; what is only asked or announced is not among them. */
  readonly reversals: readonly Reversal[];
}

/** Something happened at the provider: what to look at there. */
export type PaymentEvent = { readonly id: string; readonly type: string } & (
  | { readonly about: 'invoice'; readonly customerId: string; readonly invoiceId: string }
  | { readonly about: 'subscription'; readonly customerId: string }
  | { readonly about: 'reversal'; readonly chargeId: string }
  | { readonly about: 'customer_deleted'; readonly customerId: string }
  | { readonly about: 'nothing' }
);

/** The provider said no to what was asked, and would again. */
export class PaymentsRefused extends Error {
  override readonly name = 'PaymentsRefused';
}

export interface PaymentsGateway {
  /** Refuses what the provider did not sign with our secret within the last minutes. */
  readEvent(rawBody: Buffer, headers: IncomingHttpHeaders, now: Date): PaymentEvent;
  createCustomer(order: { ownerId: string; email: string; setupKey: string }): Promise<string>;
  isCustomer(customerId: string): Promise<boolean>;
  /** The address that receipts go to; nothing when the customer is gone. */
  changeAddress(customerId: string, email: string): Promise<void>;
  /** Ends everything of theirs there; nothing when they are already gone. */
  deleteCustomer(customerId: string): Promise<void>;
  createFreeSubscription(order: { customerId: string; setupKey: string }): Promise<void>;
  /** All of a customer's, the ended ones too. */
  findSubscriptions(customerId: string): Promise<RemoteSubscription[]>;
  /** At once; nothing when it has ended already. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** Undoes the change or cancellation that is still to come; nothing when there is none. */
  keepPlan(subscriptionId: string): Promise<void>;
  findInvoice(invoiceId: string): Promise<RemoteInvoice>;
  findPaidInvoices(order: { customerId: string; since: Date }): Promise<RemoteInvoice[]>;
  findInvoicePage(invoiceId: string): Promise<string | null>;
  /** Who was charged; null for somebody who is no customer. */
  findPayer(chargeId: string): Promise<string | null>;
  findReversedCharge(chargeId: string): Promise<ReversedCharge>;
  hasCard(customerId: string): Promise<boolean>;
  /** The portal's front page, or the page that confirms one plan. */
  openPortal(order: {
    customerId: string;
    returnUrl: string;
    change?: { subscriptionId: string; plan: PlanTier };
  }): Promise<string>;
  /** A page that takes the first card and pays the first month. */
  openCheckout(order: { customerId: string; plan: PlanTier; returnUrl: string }): Promise<string>;
}
