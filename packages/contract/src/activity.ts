import * as z from 'zod/mini';
import { dateTimeSchema } from './fields.ts';
import { ACTIVITY_AREAS } from './names/activity-kinds.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { defineRoute } from './route.ts';

const tag = 'Account';

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
    leastRole: 'admin',
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
    leastRole: 'admin',
    tag,
    summary: 'Get a signed link to a CSV file of the activity log',
    isRepeatable: true,
    query: z.strictObject(activityFilterFields),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
};
