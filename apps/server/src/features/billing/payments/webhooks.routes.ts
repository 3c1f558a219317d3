import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../platform/errors/index.ts';
import { limitForgeries } from '../../../platform/http/index.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import { findPayerOfCustomer, isEventApplied } from './payments.store.ts';
import { type PaymentEvent, PaymentsMissing } from './payments-gateway.ts';
import { webhookPath } from './provider.ts';
import { type SyncParts, syncCustomer } from './sync-customer.ts';

/** An event carries whole objects, usually a few kilobytes. */
const bodyLimitBytes = 1024 * 1024;

interface WebhookParts extends Omit<SyncParts, 'gateway'> {
  readonly gateway: SyncParts['gateway'] | null;
  readonly logger: Logger;
}

/**
 * Receives the payment provider's events. An error makes the provider send the event again later. This route is not in
 * the contract: a signature over the raw body identifies the sender.
 */
export function registerWebhooks(app: FastifyInstance, { gateway, ...parts }: WebhookParts): void {
  app.register(async (scope) => {
    const provingSender = limitForgeries(scope, { clock: parts.clock, forged: 'webhook_not_genuine' });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, body),
    );
    scope.post(
      webhookPath,
      { config: { auth: 'public' }, bodyLimit: bodyLimitBytes, schema: { hide: true } },
      async (request) => {
        if (!gateway) throw new AppError('payments_unavailable');
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const event = provingSender(request, () =>
          gateway.readEvent(rawBody, request.headers, parts.clock.now()),
        );
        const outcome = await applyEvent({ ...parts, gateway }, event).catch(ignoreMissing);
        parts.logger.info({ event_id: event.id, event_type: event.type, outcome }, 'payment event');
        if (event.about === 'payment' && outcome === 'ignored: unknown customer') {
          const { id: event_id, paymentId: payment_id } = event;
          parts.logger.warn(
            { event_id, payment_id },
            'a payment has no account; if it is for a pack, refund it',
          );
        }
        if (outcome === 'ignored: unknown object') {
          parts.logger.warn(
            { event_id: event.id, event_type: event.type },
            'Stripe does not know what this event is about; check that its webhook belongs to the account and mode of STRIPE_SECRET_KEY',
          );
        }
        return { received: true };
      },
    );
  });
}

type Outcome =
  | 'applied'
  | 'repeated'
  | 'ignored: unknown type'
  | 'ignored: unknown customer'
  | 'ignored: unknown object';

/** Stripe repeats an event that gets an error for days. What it does not know now it will not know then. */
function ignoreMissing(error: unknown): Outcome {
  if (error instanceof PaymentsMissing) return 'ignored: unknown object';
  throw error;
}

async function applyEvent(parts: SyncParts, event: PaymentEvent): Promise<Outcome> {
  if (event.about === 'nothing') return 'ignored: unknown type';
  if (await isEventApplied(parts.db, event.id)) return 'repeated';
  const customerId =
    event.about === 'reversal' ? await parts.gateway.findPayer(event.chargeId) : event.customerId;
  const payer = customerId === null ? undefined : await findPayerOfCustomer(parts.db, customerId);
  // A customer of another product in the same provider account, or of a deleted account.
  if (customerId === null || !payer) return 'ignored: unknown customer';

  await syncCustomer(parts, {
    ownerId: payer.ownerId,
    customerId,
    event: { id: event.id, type: event.type },
    ...(event.about === 'invoice' && { invoiceId: event.invoiceId }),
    ...(event.about === 'payment' && { paymentId: event.paymentId }),
    ...(event.about === 'reversal' && { chargeId: event.chargeId }),
    checksCustomer: event.about === 'customer_deleted',
  });
  return 'applied';
}
