import * as z from 'zod/mini';
import { fileMetricsSchema, listFields } from '../bulk.ts';
import { controlRoutes, renameFields } from '../control-routes.ts';
import { dateTimeSchema, idSchema, switchSchema } from '../fields.ts';
import { listNameSchema } from '../input/list-name.ts';
import { textList } from '../input/text-list.ts';
import { defineRoute } from '../route.ts';
import { emailMetricsSchema, sandboxMark, sandboxQuery } from './shared.ts';

const tag = 'Lists';

export const listFileMetricsSchema = z.extend(fileMetricsSchema, {
  /** The part of `non_billable` whose email cell is empty. */
  no_email: z.number(),
  /** The part of `non_billable` whose address is suppressed. */
  suppressed: z.number(),
});

export const validationListSchema = z.object({
  ...listFields,
  /** Distinct, well-formed addresses, which are verified and counted. */
  total_emails: z.number(),
  email_metrics: emailMetricsSchema,
  validation_email_metrics: z.object({ completed: z.number() }),
  /** Rows of the file that are not verified and cost nothing; null for older lists, which did not count them. */
  excluded_emails: z.nullable(z.omit(listFileMetricsSchema, { billable: true })),
  /** Valid addresses that are neither disposable nor of a role; null for older lists, which did not count them. */
  safe_emails: z.nullable(z.number()),
  ...sandboxMark,
});
export type ValidationList = z.output<typeof validationListSchema>;

/** Most addresses in one JSON body; longer lists are sent as files, which are streamed. */
export const JSON_LIST = { emailsMax: 100_000, bytesMax: 8 * 1024 * 1024 } as const;

export const metricsEntrySchema = z.object({
  date: dateTimeSchema,
  validation_list_email_metrics: z.extend(emailMetricsSchema, { pending_emails: z.number() }),
});
export type MetricsEntry = z.output<typeof metricsEntrySchema>;

const control = controlRoutes({
  base: '/validations',
  tag,
  schema: validationListSchema,
  list: 'a list',
  rows: 'addresses',
  isBehindFlag: false,
  keyScopes: { read: 'read_results', manage: 'manage_lists', start: 'verify' },
});

export const listRoutes = {
  createListFromEmails: defineRoute({
    method: 'POST',
    path: '/validations/lists',
    auth: 'user_or_key',
    keyScope: 'verify',
    leastRole: 'member',
    tag,
    takesIdempotencyKey: true,
    summary: 'Verify a list of addresses sent as JSON',
    query: sandboxQuery,
    bodyBytesMax: JSON_LIST.bytesMax,
    body: z.strictObject({
      name: z.optional(listNameSchema),
      ignore_suppression: z.optional(z.boolean()),
      emails: textList({
        lengthMax: JSON_LIST.emailsMax,
        textLengthMax: 1_000,
        ifEmpty: 'emails is empty. Send at least one address.',
        ifTooLong: `emails holds more than ${JSON_LIST.emailsMax} addresses. Send fewer, or a CSV file.`,
      }),
    }),
    success: { status: 201, schema: validationListSchema },
  }),
  getMetrics: defineRoute({
    method: 'GET',
    path: '/validations/lists/metrics',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary:
      'Get results per day or month, of single checks and lists together, in the time zone of the dates',
    query: z.strictObject({
      from_date: dateTimeSchema,
      to_date: dateTimeSchema,
      group_by: z.enum(['DAY', 'MONTH']),
    }),
    success: { status: 200, schema: z.object({ results: z.array(metricsEntrySchema) }) },
  }),
  ...control,
  renameList: defineRoute({
    ...control.renameList,
    body: z.strictObject({ id: z.optional(idSchema), ...renameFields }),
  }),
  reverifyList: defineRoute({
    ...control.reverifyList,
    query: z.strictObject({ ignore_suppression: z.optional(switchSchema) }),
  }),
};
