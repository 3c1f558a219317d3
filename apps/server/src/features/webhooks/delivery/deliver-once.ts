import { publishEvent } from '../../../platform/events/publish.ts';
import { findWebhook, noteDelivered } from '../webhooks.store.ts';
import type { DeliveryParts } from './deliver-in-order.ts';
import { type DeliveryPlace, findDelivery, writeAttempt } from './deliveries.store.ts';
import { postEvent } from './post-event.ts';
import { signedPost } from './signed-post.ts';

/** Sends a test, or a finished event again: one try, whose outcome the log shows. */
export async function deliverOnce(
  parts: DeliveryParts,
  place: DeliveryPlace,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, secrets } = parts;
  const delivery = await findDelivery(db, place);
  if (delivery?.status !== 'PENDING') return;
  const webhookPlace = { ownerId: place.ownerId, id: delivery.webhook_id };
  const webhook = await findWebhook(db, webhookPlace);
  if (!webhook) return;

  const outcome = await postEvent(signedPost(secrets, webhook, delivery, clock.now()), parts, signal);
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    // First, because deleting a webhook also locks it before its deliveries.
    if (outcome.isDelivered) await noteDelivered(tx, webhookPlace, now);
    const status = outcome.isDelivered ? 'DELIVERED' : 'FAILED';
    await writeAttempt(tx, place, { ...outcome, status, now });
    await publishEvent(tx, place.ownerId, { event_type: 'refresh_webhooks', event_metadata: {} });
  });
}
