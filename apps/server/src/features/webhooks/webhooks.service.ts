import { randomUUID } from 'node:crypto';
import type { ActivityKind, PageQuery, Webhook, WebhookDelivery } from '@assay/contract';
import type { Customer } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { recordActivity } from '../activity/index.ts';
import { type DeliveryRow, findDeliveries } from './delivery/deliveries.store.ts';
import { wakeDeliveries } from './delivery/turn.store.ts';
import { whyRefused } from './webhook-address.ts';
import { newSealedSecret, openSecret, previousSecretUntil } from './webhook-secret.ts';
import { deliverInOrderJob } from './webhooks.jobs.ts';
import {
  deleteWebhook,
  findWebhookOf,
  insertWebhook,
  replaceSecret,
  updateUrl,
  type WebhookPlace,
  type WebhookRow,
} from './webhooks.store.ts';

export interface WebhookParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly secrets: Secrets;
  /** Private ranges that events may be sent to. */
  readonly allowRanges: readonly string[];
}

/** Time to give the receiver its new secret. */
const previousSecretMs = 86_400_000;

/** The customer's webhook, if they have one. */
export async function listWebhooks(parts: WebhookParts, ownerId: string): Promise<Webhook[]> {
  const row = await findWebhookOf(parts.db, ownerId);
  return row ? [webhookAnswer(parts, row)] : [];
}

/** For operators: what the URL has beside its host may be secret. */
export async function listWebhookHosts(
  db: Db,
  ownerId: string,
): Promise<{ id: string; host: string; creation_date: string }[]> {
  const row = await findWebhookOf(db, ownerId);
  return row ? [{ id: row.id, host: hostOf(row.url), creation_date: row.created_at.toISOString() }] : [];
}

/** The webhook without its secrets. */
export async function describeWebhooks(db: Db, ownerId: string): Promise<object[]> {
  const row = await findWebhookOf(db, ownerId);
  return row ? [{ id: row.id, url: row.url, creation_date: row.created_at }] : [];
}

export async function createWebhook(parts: WebhookParts, customer: Customer, url: string): Promise<Webhook> {
  const { clock, secrets } = parts;
  const ownerId = customer.userId;
  const id = randomUUID();
  return recorded(parts, customer, 'webhook.created', async (tx) => {
    const row = await insertWebhook(tx, {
      ownerId,
      id,
      url: acceptedUrl(parts, url),
      sealedSecret: newSealedSecret(secrets, id),
      now: clock.now(),
    });
    if (!row) throw new AppError('webhook_exists', { userId: ownerId });
    return row;
  });
}

/** The log gets the host only: URLs may contain secrets. */
const hostOf = (url: string): string => new URL(url).host;

/** Records that the secret of a webhook with this URL was shown in full. */
export const recordReveal = ({ db, clock }: WebhookParts, customer: Customer, url: string): Promise<void> =>
  recordActivity(db, customer, { kind: 'webhook.secret_revealed', about: hostOf(url), now: clock.now() });

/** Changes the webhook and records the change together. */
async function recorded(
  parts: WebhookParts,
  customer: Customer,
  kind: ActivityKind,
  change: (tx: Tx) => Promise<WebhookRow>,
): Promise<Webhook> {
  return parts.db.transaction().execute(async (tx) => {
    const row = await change(tx);
    await recordActivity(tx, customer, { kind, about: hostOf(row.url), now: parts.clock.now() });
    return webhookAnswer(parts, row);
  });
}

/** Waiting events go to the new URL at once. */
export async function changeUrl(
  parts: WebhookParts,
  customer: Customer,
  id: string,
  url: string,
): Promise<Webhook> {
  const { queue } = parts;
  const ownerId = customer.userId;
  const place = { ownerId, id };
  const accepted = acceptedUrl(parts, url);
  return recorded(parts, customer, 'webhook.changed', async (tx) => {
    const row = await updateUrl(tx, { ...place, url: accepted });
    if (!row) throw notFound(place);
    if (await wakeDeliveries(tx, ownerId)) {
      await queue.enqueue(tx, deliverInOrderJob, { ownerId });
    }
    return row;
  });
}

export async function rotateSecret(parts: WebhookParts, customer: Customer, id: string): Promise<Webhook> {
  const { clock, secrets } = parts;
  const place = { ownerId: customer.userId, id };
  return recorded(parts, customer, 'webhook.secret_replaced', async (tx) => {
    const row = await replaceSecret(tx, {
      ...place,
      sealedSecret: newSealedSecret(secrets, id),
      previousUntil: new Date(clock.now().getTime() + previousSecretMs),
    });
    if (!row) throw notFound(place);
    return row;
  });
}

export async function removeWebhook(
  { db, clock }: WebhookParts,
  customer: Customer,
  id: string,
): Promise<void> {
  const place = { ownerId: customer.userId, id };
  await db.transaction().execute(async (tx) => {
    const url = await deleteWebhook(tx, place);
    if (url === undefined) throw notFound(place);
    await recordActivity(tx, customer, { kind: 'webhook.deleted', about: hostOf(url), now: clock.now() });
  });
}

export async function listDeliveries(
  { db }: WebhookParts,
  place: WebhookPlace,
  page: PageQuery,
): Promise<{ results: WebhookDelivery[]; total: number }> {
  await requireWebhook(db, place);
  return listDeliveriesOf(db, place.ownerId, page);
}

export async function listDeliveriesOf(
  db: Db,
  ownerId: string,
  page: PageQuery,
): Promise<{ results: WebhookDelivery[]; total: number }> {
  const { rows, total } = await findDeliveries(db, ownerId, page);
  return { results: rows.map(deliveryAnswer), total };
}

export async function requireWebhook(db: Db, place: WebhookPlace): Promise<void> {
  const webhook = await findWebhookOf(db, place.ownerId);
  if (webhook?.id !== place.id) throw notFound(place);
}

const notFound = ({ id }: WebhookPlace): AppError => new AppError('webhook_not_found', { webhookId: id });

function acceptedUrl({ allowRanges }: WebhookParts, text: string): string {
  const url = new URL(text);
  const refusal = whyRefused(url, allowRanges);
  if (refusal !== null) {
    throw new AppError('webhook_url_not_allowed', {}, { text: refusal, meta: { field: 'url' } });
  }
  // The fragment after # is never sent.
  url.hash = '';
  return url.href;
}

const webhookAnswer = ({ secrets, clock }: WebhookParts, row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  secret: openSecret(secrets, row),
  previous_secret_until: previousSecretUntil(row, clock.now())?.toISOString() ?? null,
  creation_date: row.created_at.toISOString(),
});

export const deliveryAnswer = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  error: row.error,
  creation_date: row.created_at.toISOString(),
  last_attempt_date: row.last_attempt_at?.toISOString() ?? null,
});
