import { findPack } from '@assay/contract';
import Stripe from 'stripe';
import {
  type PackCharge,
  type PaymentsGateway,
  PaymentsRefused,
  type RemotePayment,
  type Reversal,
} from './payments-gateway.ts';
import { idOf, reach, unlessMissing } from './stripe.connection.ts';
import { currency, orderMetadataKey, packMetadataKey, packName } from './stripe.names.ts';

type Payments = Pick<
  PaymentsGateway,
  'findPayment' | 'findPayments' | 'chargePack' | 'findPayer' | 'findReversedCharge'
>;

/** Payments of packs, and refunds and disputes of any payment. */
export function paymentsOf(stripe: Stripe): Payments {
  return {
    findPayment: async (paymentId) => {
      const intent = await unlessMissing(() => stripe.paymentIntents.retrieve(paymentId));
      return intent && paymentOf(intent);
    },
    findPayments: async ({ customerId, since }) => {
      const created = { gte: Math.floor(since.getTime() / 1_000) };
      const found = await reach(() =>
        stripe.paymentIntents
          .list({ customer: customerId, created, limit: 100 })
          .autoPagingToArray({ limit: 1_000 }),
      );
      return found.map(paymentOf);
    },
    chargePack: async ({ customerId, pack, cardId, orderId }) => {
      const charge = () =>
        stripe.paymentIntents.create(
          {
            amount: pack.monthlyCostCents,
            currency,
            customer: customerId,
            payment_method: cardId,
            confirm: true,
            off_session: true,
            description: packName(pack),
            metadata: { [packMetadataKey]: pack.code, [orderMetadataKey]: orderId },
          },
          { idempotencyKey: `assay-top-up-${orderId}` },
        );
      return reach(() => charge().then(chargeOf, declineOf)).catch((error: unknown) => {
        // For example because the card was removed since.
        if (error instanceof PaymentsRefused) return { outcome: 'declined' };
        throw error;
      });
    },
    findPayer: async (chargeId) => idOf((await reach(() => stripe.charges.retrieve(chargeId))).customer),
    findReversedCharge: async (chargeId) => {
      const everyPage = { limit: 1_000 };
      const ofCharge = { charge: chargeId, limit: 100 };
      const [charge, refunds, disputes] = await Promise.all([
        reach(() => stripe.charges.retrieve(chargeId)),
        reach(() => stripe.refunds.list(ofCharge).autoPagingToArray(everyPage)),
        reach(() => stripe.disputes.list(ofCharge).autoPagingToArray(everyPage)),
      ]);
      return {
        amountCents: charge.amount,
        paymentId: idOf(charge.payment_intent),
        invoiceId: await findInvoiceOfCharge(stripe, charge),
        reversals: [
          ...refunds.flatMap(refundOf),
          ...disputes.flatMap((dispute) => disputeOf(dispute, charge)),
        ],
      };
    },
  };
}

function paymentOf(intent: Stripe.PaymentIntent): RemotePayment {
  return {
    id: intent.id,
    customerId: idOf(intent.customer) ?? '',
    isPaid: intent.status === 'succeeded' && intent.currency === currency,
    paidCents: intent.amount_received,
    paidAt: new Date(intent.created * 1_000),
    pack: findPack(intent.metadata[packMetadataKey] ?? ''),
    orderId: intent.metadata[orderMetadataKey] ?? null,
  };
}

function chargeOf({ id, status }: Stripe.PaymentIntent): PackCharge {
  if (status === 'succeeded') return { outcome: 'paid', paymentId: id };
  return { outcome: status === 'processing' ? 'processing' : 'requires_action' };
}

function declineOf(error: unknown): PackCharge {
  if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
  return { outcome: error.code === 'authentication_required' ? 'requires_action' : 'declined' };
}

async function findInvoiceOfCharge(stripe: Stripe, charge: Stripe.Charge): Promise<string | null> {
  const intent = idOf(charge.payment_intent);
  if (!intent) return null;
  const { data } = await reach(() =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent }, limit: 1 }),
  );
  return idOf(data[0]?.invoice);
}

/** Pending refunds fire another event when they settle. */
function refundOf({ id, amount, status }: Stripe.Refund): Reversal[] {
  const isUndone = status === 'failed' || status === 'canceled';
  return status === 'succeeded' || isUndone
    ? [{ id, kind: 'refund', amountCents: amount, isUndone, isDecided: true }]
    : [];
}

/** The bank takes the money when a dispute starts. An inquiry before that (`warning_*`) takes nothing. */
function disputeOf({ id, amount, status }: Stripe.Dispute, charge: Stripe.Charge): Reversal[] {
  if (status.startsWith('warning_') || status === 'prevented') return [];
  // A dispute cannot take money that was refunded before.
  const amountCents = Math.min(amount, charge.amount - charge.amount_refunded);
  const isUndone = status === 'won';
  return [{ id, kind: 'dispute', amountCents, isUndone, isDecided: isUndone || status === 'lost' }];
}
