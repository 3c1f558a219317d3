import { findPack } from '@assay/contract';
import type Stripe from 'stripe';
import { AppError } from '../../../../platform/errors/index.ts';
import type { ChargeOutcome, PaymentsGateway, RemotePayment, Reversal } from '../payments-gateway.ts';
import { idOf, loadStripe, reach, unlessMissing } from './stripe.connection.ts';
import { findAttachedInvoice } from './stripe.invoices.ts';
import { currency, orderMetadataKey, packMetadataKey, packName, priceMetadataKey } from './stripe.names.ts';

type Payments = Pick<
  PaymentsGateway,
  | 'findPayment'
  | 'findPayments'
  | 'openPackPayment'
  | 'chargePayment'
  | 'cancelPayment'
  | 'findPayer'
  | 'findReversedCharge'
  | 'findReversedChargeIds'
>;

/** Payments of packs, and refunds and disputes of any payment. */
export function paymentsOf(stripe: Stripe): Payments {
  const findIntent = (paymentId: string) => reach(() => stripe.paymentIntents.retrieve(paymentId));
  const cancelPayment: PaymentsGateway['cancelPayment'] = async (paymentId) => {
    const cancel = () => stripe.paymentIntents.cancel(paymentId);
    const { status } = (await unlessRefused(cancel)) ?? (await findIntent(paymentId));
    if (status === 'canceled') return 'canceled';
    if (status === 'succeeded') return 'paid';
    if (status === 'processing') return 'processing';
    throw new AppError('payments_unavailable', { paymentId, status });
  };
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
    openPackPayment: async ({ customerId, pack, priceCents, cardId, orderId }) => {
      const intent = await reach(() =>
        stripe.paymentIntents.create(
          {
            amount: priceCents,
            currency,
            customer: customerId,
            payment_method: cardId,
            // Otherwise Stripe wants a page to return to.
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            description: packName(pack),
            metadata: {
              [packMetadataKey]: pack.code,
              [priceMetadataKey]: priceCents,
              [orderMetadataKey]: orderId,
            },
          },
          { idempotencyKey: `assay-top-up-${orderId}` },
        ),
      );
      return intent.id;
    },
    chargePayment: async (paymentId, isStillWanted) => {
      const intent = await findIntent(paymentId);
      if (intent.status !== 'requires_confirmation') return outcomeOf(intent);
      if (!(await isStillWanted())) return cancelPayment(paymentId);
      const confirm = () => stripe.paymentIntents.confirm(paymentId, { off_session: true });
      // What became of the payment counts: another process may have charged it at the same moment.
      return outcomeOf((await unlessRefused(confirm)) ?? (await findIntent(paymentId)));
    },
    cancelPayment,
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
        id: charge.id,
        amountCents: charge.amount,
        paymentId: idOf(charge.payment_intent),
        invoiceId: await findInvoiceOfCharge(stripe, charge),
        reversals: [
          ...refunds.flatMap(refundOf),
          ...disputes.flatMap((dispute) => disputeOf(dispute, charge)),
        ],
      };
    },
    findReversedChargeIds: async ({ customerId, since }) => {
      const created = { gte: Math.floor(since.getTime() / 1_000) };
      const charges = await reach(() =>
        stripe.charges
          .list({ customer: customerId, created, limit: 100, expand: ['data.refunds'] })
          .autoPagingToArray({ limit: 1_000 }),
      );
      // A charge whose refund failed counts as not refunded again, so its refunds are looked at.
      const isReversed = ({ disputed, refunds }: Stripe.Charge) =>
        disputed || (refunds?.data.length ?? 0) > 0;
      return charges.filter(isReversed).map(({ id }) => id);
    },
  };
}

function paymentOf(intent: Stripe.PaymentIntent): RemotePayment {
  const pack = findPack(intent.metadata[packMetadataKey] ?? '');
  return {
    id: intent.id,
    customerId: idOf(intent.customer) ?? '',
    isPaid: intent.status === 'succeeded' && intent.currency === currency,
    paidCents: intent.amount_received,
    paidAt: new Date(intent.created * 1_000),
    pack,
    priceCents: Number(intent.metadata[priceMetadataKey]) || (pack?.monthlyCostCents ?? 0),
    orderId: intent.metadata[orderMetadataKey] ?? null,
  };
}

function outcomeOf({ status, last_payment_error }: Stripe.PaymentIntent): ChargeOutcome {
  if (status === 'succeeded') return 'paid';
  if (status === 'processing') return 'processing';
  if (status === 'canceled') return 'canceled';
  const needsHolder = status === 'requires_action' || last_payment_error?.code === 'authentication_required';
  return needsHolder ? 'requires_action' : 'declined';
}

/** Undefined for a declined card and for a request that the state of the payment does not allow. */
const unlessRefused = <Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> =>
  reach(() =>
    call().catch(async (error: unknown) => {
      const { errors } = await loadStripe();
      const isRefused =
        error instanceof errors.StripeCardError || error instanceof errors.StripeInvalidRequestError;
      if (!isRefused) throw error;
      return undefined;
    }),
  );

async function findInvoiceOfCharge(stripe: Stripe, charge: Stripe.Charge): Promise<string | null> {
  const paymentId = idOf(charge.payment_intent);
  return paymentId === null ? null : findAttachedInvoice(stripe, paymentId);
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
