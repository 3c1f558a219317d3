import * as z from 'zod/mini';
import { RETENTION_DAYS } from './names/retention-days.ts';
import { defineRoute } from './route.ts';

const tag = 'Account';

/** How much is older than a number of days, and would be deleted. */
export const expiredWorkSchema = z.object({
  lists: z.number(),
  /** The emails in these lists. */
  list_emails: z.number(),
  singles: z.number(),
  /** Guessed people, alone and in lists. */
  guesses: z.number(),
});
export type ExpiredWork = z.output<typeof expiredWorkSchema>;

export const retentionSchema = z.object({
  /** Lists, single checks and guesses are deleted this many days after their creation; null: never. */
  days: z.nullable(z.literal(RETENTION_DAYS)),
});
export type Retention = z.output<typeof retentionSchema>;

export const recordsRoutes = {
  getRetention: defineRoute({
    method: 'GET',
    path: '/users/me/retention',
    auth: 'user',
    leastRole: 'viewer',
    tag,
    summary: 'Get after how many days lists, single checks and guesses are deleted',
    success: { status: 200, schema: retentionSchema },
  }),
  previewRetention: defineRoute({
    method: 'GET',
    path: '/users/me/retention/preview',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: 'Get how much is older than 7, 30 or 90 days, and would be deleted with that choice',
    query: z.strictObject({ days: z.enum(['7', '30', '90']) }),
    success: { status: 200, schema: expiredWorkSchema },
  }),
  setRetention: defineRoute({
    method: 'PUT',
    path: '/users/me/retention',
    auth: 'user',
    leastRole: 'admin',
    tag,
    summary: 'Choose after how many days lists, single checks and guesses are deleted; null keeps them',
    isRepeatable: true,
    body: z.strictObject({ days: z.nullable(z.literal(RETENTION_DAYS)) }),
    success: { status: 200, schema: retentionSchema },
  }),
  exportData: defineRoute({
    method: 'POST',
    path: '/users/me/data',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'owner',
    tag,
    summary:
      'Get a signed link to a ZIP archive of everything in the account, without secrets; needs a sign-in in the last 10 minutes',
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
};
