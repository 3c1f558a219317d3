import { publishEvent } from '../../../platform/events/publish.ts';
import { findWebhookOf } from '../webhooks.store.ts';
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
  const webhook = await findWebhookOf(db, place.ownerId);
  const delivery = await findDelivery(db, place);
  if (!webhook || delivery?.status !== 'PENDING') return;

  const outcome = await postEvent(signedPost(secrets, webhook, delivery, clock.now()), parts, signal);
  await db.transaction().execute(async (tx) => {
    const status = outcome.isDelivered ? 'DELIVERED' : 'FAILED';
    await writeAttempt(tx, place, { ...outcome, status, now: clock.now() });
    await publishEvent(tx, place.ownerId, { event_type: 'refresh_webhooks', event_metadata: {} });
  });
}
