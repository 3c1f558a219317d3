import * as z from 'zod/mini';
import { dateTimeSchema } from './fields.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { defineRoute } from './route.ts';

const tag = 'Account';

/** What an entry of the activity log can be about: the part of a kind before its dot. */
export const ACTIVITY_AREAS = [
  'session',
  'password',
  'api_key',
  'webhook',
  'plan',
  'credits',
  'export',
  'deletion',
  'mailbox',
  'setting',
] as const;
export type ActivityArea = (typeof ACTIVITY_AREAS)[number];

/** Every kind of entry in words. docs/records.md lists the details that each has. */
export const ACTIVITY_WORDS = {
  'session.started': 'Signed in',
  'session.others_ended': 'Signed out everywhere else',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'api_key.created': 'API key created',
  'api_key.changed': 'API key changed',
  'api_key.rolled': 'API key rolled',
  'api_key.revealed': 'API key revealed',
  'api_key.deleted': 'API key deleted',
  'webhook.created': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_replaced': 'Webhook secret replaced',
  'webhook.secret_revealed': 'Webhook secret revealed',
  'plan.portal_opened': 'Subscription page opened',
  'plan.changed': 'Plan changed',
  'plan.kept': 'Plan change undone',
  'credits.checkout_opened': 'Checkout opened',
  'credits.bought': 'Credits bought',
  'credits.redeemed': 'Coupon redeemed',
  'credits.top_up_on': 'Automatic top-up turned on',
  'credits.top_up_changed': 'Automatic top-up changed',
  'credits.top_up_off': 'Automatic top-up turned off',
  'credits.top_up_stopped': 'Automatic top-up stopped',
  'export.created': 'Export created',
  'export.shared': 'Download link created',
  'export.revoked': 'Download link revoked',
  'export.account': 'Account data downloaded',
  'deletion.list': 'List deleted',
  'deletion.single': 'Single verifications deleted',
  'deletion.guess': 'Guesses deleted',
  'mailbox.connected': 'Mailbox connected',
  'mailbox.removed': 'Mailbox removed',
  'setting.profile': 'Personal info changed',
  'setting.mails': 'Notifications changed',
  'setting.alerts': 'Low balance alerts changed',
  'setting.retention': 'Retention changed',
} as const satisfies Readonly<Record<`${ActivityArea}.${string}`, string>>;
export type ActivityKind = keyof typeof ACTIVITY_WORDS;

/** A kind in words. A newer server may record one that this version does not know. */
export const activityWords = (kind: string): string =>
  (ACTIVITY_WORDS as Readonly<Record<string, string>>)[kind] ?? kind;

export const activitySchema = z.object({
  /** Counts the entries of the customer from 1. */
  number: z.number(),
  date: dateTimeSchema,
  /** One of the documented kinds, such as `api_key.created`. Later versions may add others. */
  kind: z.string(),
  /** What it was done to, for example the name of a list; null if nothing more is to be said. */
  about: z.nullable(z.string()),
  /** The list that it was done to. Retention removes the name of a list from `about`, and this stays. */
  list_id: z.nullable(z.string()),
  /** Who did it: the signed-in customer, a program with their API key, or Assay by itself. */
  by: z.enum(['customer', 'api_key', 'assay']),
  /** The API key that did it; null for a person, for Assay, and in entries that do not say. */
  api_key_id: z.nullable(z.string()),
  /** The name of that key at the time; null for the key with all scopes, which has none. */
  api_key_name: z.nullable(z.string()),
  /** The network address of the caller; null if Assay did it. */
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
});
export type Activity = z.output<typeof activitySchema>;

const activityFilterFields = {
  area: z.optional(z.enum(ACTIVITY_AREAS)),
  /** A part of the subject, the API key, the address or the program. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
};

export const activityRoutes = {
  listActivities: defineRoute({
    method: 'GET',
    path: '/users/me/activity',
    auth: 'user',
    tag,
    summary: 'List what happened in the account in the last year, newest first',
    query: z.extend(pageQuerySchema, activityFilterFields),
    success: { status: 200, schema: pageOf(activitySchema) },
  }),
  exportActivities: defineRoute({
    method: 'POST',
    path: '/users/me/activity/export',
    isOpenWhenSuspended: true,
    auth: 'user',
    tag,
    summary: 'Get a signed link to a CSV file of the activity log',
    isRepeatable: true,
    query: z.strictObject(activityFilterFields),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
};
