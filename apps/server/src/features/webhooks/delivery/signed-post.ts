import { Webhook } from 'standardwebhooks';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { signingSecrets } from '../webhook-secret.ts';
import type { WebhookRow } from '../webhooks.store.ts';
import type { DeliveryToSend } from './deliveries.store.ts';
import type { PostedEvent } from './post-event.ts';

/** The request of an event, signed as the Standard Webhooks specification says, at the moment of sending. */
export function signedPost(
  secrets: Secrets,
  webhook: WebhookRow,
  delivery: DeliveryToSend,
  now: Date,
): PostedEvent {
  const signatures = signingSecrets(secrets, webhook, now).map((secret) =>
    new Webhook(secret).sign(delivery.event_id, now, delivery.body),
  );
  return {
    url: webhook.url,
    body: delivery.body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Assay-Webhooks/1',
      'webhook-id': delivery.event_id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
  };
}
