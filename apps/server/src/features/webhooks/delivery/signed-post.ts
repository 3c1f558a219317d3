import { goodSecrets } from '../../../platform/crypto/rotated-secrets.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { signedHeaders } from '../../../platform/webhooks/signature.ts';
import { webhookSecrets } from '../webhook-secret.ts';
import type { SigningWebhook } from '../webhooks.store.ts';
import type { DeliveryToSend } from './deliveries.store.ts';
import type { PostedEvent } from './post-event.ts';

/** The request of an event, signed at the moment of sending as in the Standard Webhooks specification. */
export function signedPost(
  secrets: Secrets,
  webhook: SigningWebhook,
  delivery: DeliveryToSend,
  now: Date,
): PostedEvent {
  return {
    url: webhook.url,
    body: delivery.body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Assay-Webhooks/1',
      ...signedHeaders(goodSecrets(secrets, webhookSecrets, webhook, now), {
        id: delivery.event_id,
        sentAt: now,
        body: delivery.body,
      }),
    },
  };
}
