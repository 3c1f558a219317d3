import { randomUUID } from 'node:crypto';
import { type ReceivedWebhook, verifyWebhook } from '@assay/client/webhooks';
import { collectFaults } from '../../checks.ts';
import type { Product } from '../../product.ts';
import type { Kind } from '../stage.ts';

const checksPerTurnMin = 3;
const listLength = 20;
/** So that a worker may end between an event's arrival and its answer. */
const receiverDelayMs = 60;

/** Events of single checks and of a list, and tests, to two webhooks of a customer. */
export const events: Kind = {
  name: 'webhooks',
  begin: async (stage) => {
    const { product, outside, deadline, insist } = stage;
    const customer = await stage.signUp();
    const { validations, webhooks } = customer.client;
    const { faults, demand } = collectFaults();
    const targets: Target[] = [];
    for (const name of ['first', 'second']) {
      const body = { url: `${outside.receiver.url}/${name}` };
      const { id, secret } = await webhooks.createWebhook({ body });
      targets.push({ id, secret, arrived: [] });
    }
    outside.receiver.answer((response, { headers, body }) => {
      // Each webhook has its own secret.
      const target = targets.find(({ secret }) => isSignedWith(secret, { headers, body }));
      if (target) target.arrived.push(String(headers['webhook-id']));
      else faults.push('an event has no valid signature');
      setTimeout(() => response.writeHead(204).end(), receiverDelayMs);
    });

    let eventCount = 0;
    const checkOne = async (email_address: string) => {
      const idempotencyKey = randomUUID();
      const { id: validation_id } = await insist(() =>
        validations.startSingle({ body: { email_address }, idempotencyKey }),
      );
      eventCount += 1;
      await deadline.until('a check is complete', async () => {
        return (await validations.getSingle({ params: { validation_id } })).status === 'COMPLETE';
      });
    };
    return {
      work: async (turn) => {
        const emails = Array.from({ length: listLength }, (_, row) => `staff.${row}@prompt-2.test`);
        const idempotencyKey = randomUUID();
        await insist(() => validations.createListFromEmails({ body: { emails }, idempotencyKey }));
        eventCount += 1;
        for (const { id } of targets) await insist(() => webhooks.sendTest({ params: { id } }));
        for (let count = 0; count < checksPerTurnMin || stage.isUneasy; count += 1)
          await checkOne(`staff.${turn}-${count}@prompt-3.test`);
      },
      check: async () => {
        for (const { id, arrived } of targets) {
          const deliveries = await deadline.until('all events are delivered', async () => {
            const found = await findDeliveries(product, customer.id, id);
            const isOver = found.filter(({ is_in_order }) => is_in_order).length >= eventCount;
            return isOver && found.every(({ status }) => status !== 'PENDING') && found;
          });
          const inOrder = deliveries.filter(({ is_in_order }) => is_in_order).map(({ event_id }) => event_id);
          demand('events', inOrder.length, eventCount);
          demand('failed', deliveries.filter(({ status }) => status !== 'DELIVERED').length, 0);
          const firstArrivals = [...new Set(arrived)];
          demand(
            'the order of arrival',
            firstArrivals.filter((eventId) => inOrder.includes(eventId)),
            inOrder,
          );
          demand('arrivals', firstArrivals.length, deliveries.length);
          stage.note(`${eventCount} events, ${arrived.length - firstArrivals.length} arrived again`);
        }
        return faults;
      },
    };
  },
};

interface Target {
  readonly id: string;
  readonly secret: string;
  /** The ids of every event that arrived, whether or not the product saw the answer. */
  readonly arrived: string[];
}

function isSignedWith(secret: string, event: Pick<ReceivedWebhook, 'headers' | 'body'>): boolean {
  try {
    verifyWebhook({ ...event, secret });
    return true;
  } catch {
    return false;
  }
}

const findDeliveries = (product: Product, ownerId: string, webhookId: string) =>
  product.ask<{ event_id: string; is_in_order: boolean; status: string }>(
    'select event_id, is_in_order, status from webhook_deliveries where owner_id = $1 and webhook_id = $2 order by number',
    [ownerId, webhookId],
  );
