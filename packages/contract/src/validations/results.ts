import * as z from 'zod/mini';
import { listParams } from '../bulk.ts';
import { pageOf, pageQuerySchema } from '../paging.ts';
import { defineRoute } from '../route.ts';
import { outcomesBeside } from '../sending/check-outcomes.ts';
import {
  addressFlagSchema,
  addressTraitsSchema,
  verdictDetailSchema,
  verdictReasonSchema,
  verdictSchema,
} from '../verdicts.ts';
import { emailFilterFields } from './email-filter.ts';
import { sandboxMark } from './shared.ts';

const tag = 'Results and downloads';

export const listEmailSchema = z.object({
  id: z.string(),
  email_address: z.string(),
  email_address_status: z.nullable(verdictSchema),
  reason: z.nullable(verdictReasonSchema),
  ...addressTraitsSchema.shape,
  ...outcomesBeside,
  ...sandboxMark,
});
export type ListEmail = z.output<typeof listEmailSchema>;

export const listEmailDetailSchema = z.extend(listEmailSchema, verdictDetailSchema.shape);
export type ListEmailDetail = z.output<typeof listEmailDetailSchema>;

/** The most providers that a summary names. */
export const SUMMARY_PROVIDERS_MAX = 50;

/**
 * `row` is the order of the file; `-` in front turns the order round. `newest` has the latest results first, and leaves out
 * addresses without a result.
 */
const emailSortSchema = z.enum(['row', '-row', 'email', '-email', 'status', '-status', 'newest']);
export type EmailSort = z.output<typeof emailSortSchema>;

/** How often each reason, flag and provider occurs in a list so far. */
export const emailSummarySchema = z.object({
  reasons: z.array(z.object({ reason: verdictReasonSchema, status: verdictSchema, emails: z.number() })),
  flags: z.array(z.object({ flag: addressFlagSchema, emails: z.number() })),
  /** The most frequent ones. */
  mx_providers: z.array(z.object({ mx_provider: z.string(), emails: z.number() })),
});
export type EmailSummary = z.output<typeof emailSummarySchema>;

export const resultRoutes = {
  listEmails: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/emails',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary:
      'List the addresses of a list, all or filtered, in the order of the file unless sorted otherwise',
    params: listParams,
    query: z.extend(pageQuerySchema, { ...emailFilterFields, sort: z._default(emailSortSchema, 'row') }),
    success: {
      status: 200,
      schema: z.extend(pageOf(listEmailSchema), {
        /** False if there are more than `total`: searches and filters are counted up to 10,000. */
        total_is_exact: z.boolean(),
      }),
    },
  }),
  summariseEmails: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/emails/summary',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary: 'Count the reasons, flags and providers of a list',
    params: listParams,
    success: { status: 200, schema: emailSummarySchema },
  }),
  getListEmail: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/emails/:email_id',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary: 'Get one address of a list with its evidence',
    params: z.extend(listParams, { email_id: z.string().check(z.maxLength(12), z.regex(/^\d{1,12}$/)) }),
    success: { status: 200, schema: listEmailDetailSchema },
  }),
};
