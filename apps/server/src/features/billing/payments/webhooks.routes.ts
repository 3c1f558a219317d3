import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../platform/errors/index.ts';
import type { Logger } from '../../../platform/logging/index.ts';
import { findAccountOfCustomer, isEventApplied } from './payments.store.ts';
import type { PaymentEvent } from './remote.ts';
import { type SyncParts, syncCustomer } from './sync-customer.ts';

export const webhookPath = '/billing/webhooks/stripe';

/** Events carry whole objects; ours are some kilobytes. */
const bodyLimitBytes = 1024 * 1024;

interface WebhookParts extends Omit<SyncParts, 'gateway'> {
  readonly gateway: SyncParts['gateway'] | null;
  readonly logger: Logger;
}

/**
 * Where the payment provider tells what happened. Whatever goes wrong is answered as an error, and the provider tells
 * again later. Not a call of the contract: its sender is known by a signature over the very bytes of the body.
 */
export function registerWebhooks(app: FastifyInstance, { gateway, ...parts }: WebhookParts): void {
  app.register(async (scope) => {
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
        const signature = request.headers['stripe-signature'];
        const event = gateway.readEvent(rawBody, [signature].flat()[0], parts.clock.now());
        const outcome = await applyEvent({ ...parts, gateway }, event);
        parts.logger.info({ event_id: event.id, event_type: event.type, outcome }, 'payment event');
        return { received: true };
      },
    );
  });
}

type Outcome = 'applied' | 'repeated' | 'ignored: unknown type' | 'ignored: nobody here';

async function applyEvent(parts: SyncParts, event: PaymentEvent): Promise<Outcome> {
  if (event.about === 'nothing') return 'ignored: unknown type';
  if (await isEventApplied(parts.db, event.id)) return 'repeated';
  const customerId =
    event.about === 'reversal' ? await parts.gateway.findPayer(event.chargeId) : event.customerId;
  const account = customerId === null ? undefined : await findAccountOfCustomer(parts.db, customerId);
  // Another product's customer in the same provider's account, or somebody whose account is gone.
  if (customerId === null || !account) return 'ignored: nobody here';

  await syncCustomer(parts, {
    ownerId: account.ownerId,
    customerId,
    event: { id: event.id, type: event.type },
    ...(event.about === 'invoice' && { invoiceId: event.invoiceId }),
    ...(event.about === 'reversal' && { chargeId: event.chargeId }),
    checksCustomer: event.about === 'departure',
  });
  return 'applied';
}
