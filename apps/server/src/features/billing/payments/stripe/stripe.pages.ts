import type { PlanTier } from '@assay/contract';
import type Stripe from 'stripe';
import { type PaymentsGateway, PaymentsRefused, type RemoteCheckout } from '../payments-gateway.ts';
import { idOf, reach, unlessMissing } from './stripe.connection.ts';
import { currency, packMetadataKey, packName, portalMetadata, priceMetadataKey } from './stripe.names.ts';
import { findPrice, runSetup } from './stripe.prices.ts';

type Pages = Pick<PaymentsGateway, 'openPortal' | 'openCheckout' | 'openPackCheckout' | 'findCheckout'>;

/** Stripe's own pages: the customer portal and the checkout. */
export function pagesOf(stripe: Stripe): Pages {
  return {
    openPortal: async ({ customerId, returnUrl, change, takesCard }) => {
      const configuration = await findPortalConfiguration(stripe);
      const flow = takesCard
        ? cardFlow(returnUrl)
        : change && (await confirmationFlow(stripe, change, returnUrl));
      const session = await reach(() =>
        stripe.billingPortal.sessions.create({
          customer: customerId,
          configuration,
          return_url: returnUrl,
          ...(flow && { flow_data: flow }),
        }),
      );
      return session.url;
    },
    openCheckout: async ({ customerId, plan, returnUrl }) => {
      const price = await findPrice(stripe, plan);
      const session = await reach(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          line_items: [{ price, quantity: 1 }],
          success_url: returnUrl,
          cancel_url: returnUrl,
        }),
      );
      return urlOf(session);
    },
    openPackCheckout: async ({ customerId, pack, returnUrlOf, cancelUrl }) => {
      const product = { name: packName(pack) };
      const session = await reach(() =>
        stripe.checkout.sessions.create({
          mode: 'payment',
          customer: customerId,
          line_items: [
            {
              price_data: { currency, unit_amount: pack.monthlyCostCents, product_data: product },
              quantity: 1,
            },
          ],
          // Payments have no invoice unless they are asked for one.
          invoice_creation: { enabled: true },
          payment_intent_data: {
            metadata: { [packMetadataKey]: pack.code, [priceMetadataKey]: pack.monthlyCostCents },
          },
          success_url: returnUrlOf('{CHECKOUT_SESSION_ID}'),
          cancel_url: cancelUrl,
        }),
      );
      return { id: session.id, url: urlOf(session) };
    },
    findCheckout: async (checkoutId) => {
      const session = await unlessMissing(() => stripe.checkout.sessions.retrieve(checkoutId));
      return (
        session && {
          customerId: idOf(session.customer) ?? '',
          state: checkoutStateOf(session),
          expiresAt: new Date(session.expires_at * 1_000),
          paymentId: idOf(session.payment_intent),
        }
      );
    },
  };
}

function urlOf({ url }: Stripe.Checkout.Session): string {
  if (url === null) throw new PaymentsRefused('The checkout page has no address.');
  return url;
}

function checkoutStateOf({ status }: Stripe.Checkout.Session): RemoteCheckout['state'] {
  if (status === 'open') return 'open';
  return status === 'complete' ? 'complete' : 'expired';
}

async function findPortalConfiguration(stripe: Stripe): Promise<string> {
  const found = await reach(() =>
    stripe.billingPortal.configurations
      .list({ active: true, limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  );
  const ours = found.find(({ metadata }) => metadata?.[portalMetadata.key] === portalMetadata.value);
  if (!ours) throw new PaymentsRefused(`The customer portal is not configured. ${runSetup}`);
  return ours.id;
}

const leadingTo = (returnUrl: string) => ({ type: 'redirect', redirect: { return_url: returnUrl } }) as const;

const cardFlow = (returnUrl: string): Stripe.BillingPortal.SessionCreateParams.FlowData => ({
  type: 'payment_method_update',
  after_completion: leadingTo(returnUrl),
});

async function confirmationFlow(
  stripe: Stripe,
  { subscriptionId, plan }: { subscriptionId: string; plan: PlanTier },
  returnUrl: string,
): Promise<Stripe.BillingPortal.SessionCreateParams.FlowData> {
  const [subscription, price] = await Promise.all([
    reach(() => stripe.subscriptions.retrieve(subscriptionId)),
    findPrice(stripe, plan),
  ]);
  const items = subscription.items.data.slice(0, 1).map(({ id }) => ({ id, price, quantity: 1 }));
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription: subscriptionId, items },
    after_completion: leadingTo(returnUrl),
  };
}
