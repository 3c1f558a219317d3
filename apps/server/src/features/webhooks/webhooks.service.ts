import { randomUUID } from 'node:crypto';
import {
  type ActivityKind,
  type PageQuery,
  WEBHOOK_EVENT_TYPES,
  WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
} from '@assay/contract';
import type { Caller } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { openSecret, previousSecretUntil, replaceSecret } from '../../platform/crypto/rotated-secrets.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { lockForCounting } from '../accounts/index.ts';
import { recordActivity } from '../activity/index.ts';
import { type DeliveryRow, findDeliveries, findDeliveriesOf } from './delivery/deliveries.store.ts';
import { wakeDeliveries } from './delivery/turn.store.ts';
import { whyRefused } from './webhook-address.ts';
import { newSealedSecret, webhookSecrets } from './webhook-secret.ts';
import { deliverInOrderJob, inOrderOf } from './webhooks.jobs.ts';
import {
  deleteWebhook,
  findUrls,
  findWebhook,
  findWebhooksOf,
  insertWebhook,
  updateWebhook,
  type WebhookPlace,
  type WebhookRow,
  type WebhookSettings,
} from './webhooks.store.ts';

export interface WebhookParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly secrets: Secrets;
  /** Private ranges that events may be sent to. */
  readonly allowRanges: readonly string[];
}

export async function listWebhooks(parts: WebhookParts, ownerId: AccountId): Promise<Webhook[]> {
  const rows = await findWebhooksOf(parts.db, ownerId);
  return rows.map((row) => webhookAnswer(parts, row));
}

/** For operators: what the URL has beside its host may be secret. */
export async function listWebhookHosts(
  db: Db,
  ownerId: AccountId,
): Promise<{ id: string; host: string; event_types: string[] | null; creation_date: string }[]> {
  const rows = await findWebhooksOf(db, ownerId);
  return rows.map(({ id, url, event_types, created_at }) => ({
    id,
    host: hostOf(url),
    event_types,
    creation_date: created_at.toISOString(),
  }));
}

/** The webhooks without their secrets. */
export async function describeWebhooks(db: Db, ownerId: AccountId): Promise<object[]> {
  const rows = await findWebhooksOf(db, ownerId);
  return rows.map(({ id, url, event_types, created_at }) => ({
    id,
    url,
    event_types,
    creation_date: created_at,
  }));
}

export async function createWebhook(
  parts: WebhookParts,
  caller: Caller,
  { url, eventTypes }: WebhookSettings,
): Promise<Webhook> {
  const { clock, secrets } = parts;
  const ownerId = caller.accountId;
  const place = { ownerId, id: randomUUID() };
  const accepted = acceptedUrl(parts, url);
  return recorded(parts, caller, { kind: 'webhook.created', place }, async (tx) => {
    // So that simultaneous calls see each other's webhooks.
    await lockForCounting(tx, ownerId);
    const urls = await findUrls(tx, ownerId);
    // A call that is repeated, because its answer was lost, must not double the events.
    if (urls.includes(accepted)) throw new AppError('webhook_exists', {}, { meta: { field: 'url' } });
    if (urls.length >= WEBHOOKS.countMax) throw new AppError('too_many_webhooks', { accountId: ownerId });
    await insertWebhook(tx, {
      ...place,
      url: accepted,
      eventTypes: eachOnce(eventTypes),
      sealedSecret: newSealedSecret(secrets, place.id),
      now: clock.now(),
    });
  });
}

const eachOnce = (types: readonly string[] | null): string[] | null =>
  types && WEBHOOK_EVENT_TYPES.filter((type) => types.includes(type));

/** The log gets the host only: URLs may contain secrets. */
const hostOf = (url: string): string => new URL(url).host;

/** Records that the secret of a webhook with this URL was shown in full. */
export const recordReveal = ({ db, clock }: WebhookParts, caller: Caller, url: string): Promise<void> =>
  recordActivity(db, caller, { kind: 'webhook.secret_revealed', about: hostOf(url), now: clock.now() });

/** Changes a webhook and records the change together. */
async function recorded(
  parts: WebhookParts,
  caller: Caller,
  { kind, place }: { readonly kind: ActivityKind; readonly place: WebhookPlace },
  change: (tx: Tx) => Promise<void>,
): Promise<Webhook> {
  return parts.db.transaction().execute(async (tx) => {
    await change(tx);
    const row = (await findWebhooksOf(tx, place.ownerId)).find(({ id }) => id === place.id);
    if (!row) throw notFound(place);
    await recordActivity(tx, caller, { kind, about: hostOf(row.url), now: parts.clock.now() });
    return webhookAnswer(parts, row);
  });
}

/** Waiting events stay, whatever their type. They go to a new URL at once. */
export async function changeWebhook(
  parts: WebhookParts,
  caller: Caller,
  id: string,
  { url, eventTypes }: Partial<WebhookSettings>,
): Promise<Webhook> {
  const { queue } = parts;
  const place = { ownerId: caller.accountId, id };
  const changes = {
    url: url === undefined ? undefined : acceptedUrl(parts, url),
    eventTypes: eventTypes === undefined ? undefined : eachOnce(eventTypes),
  };
  return recorded(parts, caller, { kind: 'webhook.changed', place }, async (tx) => {
    const before = await findWebhook(tx, place);
    await updateWebhook(tx, { ...place, ...changes });
    const isMoved = changes.url !== undefined && changes.url !== before?.url;
    if (isMoved && (await wakeDeliveries(tx, place)))
      await queue.enqueue(tx, deliverInOrderJob, inOrderOf(place));
  });
}

export async function rotateSecret(parts: WebhookParts, caller: Caller, id: string): Promise<Webhook> {
  const { clock, secrets } = parts;
  const place = { ownerId: caller.accountId, id };
  return recorded(parts, caller, { kind: 'webhook.secret_replaced', place }, (tx) =>
    replaceSecret(tx, webhookSecrets, {
      ...place,
      sealedSecret: newSealedSecret(secrets, id),
      now: clock.now(),
    }),
  );
}

export async function removeWebhook({ db, clock }: WebhookParts, caller: Caller, id: string): Promise<void> {
  const place = { ownerId: caller.accountId, id };
  await db.transaction().execute(async (tx) => {
    const url = await deleteWebhook(tx, place);
    if (url === undefined) throw notFound(place);
    await recordActivity(tx, caller, { kind: 'webhook.deleted', about: hostOf(url), now: clock.now() });
  });
}

export async function listDeliveries(
  { db }: WebhookParts,
  place: WebhookPlace,
  page: PageQuery,
): Promise<{ results: WebhookDelivery[]; total: number }> {
  await requireWebhook(db, place);
  const { rows, total } = await findDeliveries(db, place, page);
  return { results: rows.map(deliveryAnswer), total };
}

/** The deliveries of all webhooks of a customer. */
export async function listDeliveriesOf(
  db: Db,
  ownerId: AccountId,
  page: PageQuery,
): Promise<{ results: WebhookDelivery[]; total: number }> {
  const { rows, total } = await findDeliveriesOf(db, ownerId, page);
  return { results: rows.map(deliveryAnswer), total };
}

export async function requireWebhook(db: Db, place: WebhookPlace): Promise<void> {
  if (!(await findWebhook(db, place))) throw notFound(place);
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
  event_types: row.event_types,
  secret: openSecret(secrets, webhookSecrets, row.id, row.sealed_secret),
  previous_secret_until: previousSecretUntil(row, clock.now())?.toISOString() ?? null,
  waiting_events: row.waiting_events,
  last_error: row.last_error,
  last_delivery_date: row.last_delivered_at?.toISOString() ?? null,
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
