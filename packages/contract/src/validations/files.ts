import * as z from 'zod/mini';
import {
  columnField,
  detectedFileFields,
  estimateFields,
  firstRowsSchema,
  listFileFields,
  sheetField,
} from '../bulk.ts';
import { formSwitchSchema, idSchema, switchSchema } from '../fields.ts';
import { listNameSchema } from '../input/list-name.ts';
import { defineRoute } from '../route.ts';
import { listFileMetricsSchema, validationListSchema } from './lists.ts';
import { sandboxMark, sandboxQuery } from './shared.ts';

const tag = 'Files';

/** Why a row of a file is not verified. */
const exclusionReasonSchema = z.enum(['duplicated', 'malformed', 'no_email', 'suppressed']);

export const listPreviewSchema = z.object({
  /** The maximum price of the list. */
  total_credits: z.number(),
  metrics: listFileMetricsSchema,
  /** The same if the list is created with `with_headers` true, which leaves the first row out. */
  metrics_with_headers: listFileMetricsSchema,
  /** The same with `with_headers` false. */
  metrics_without_headers: listFileMetricsSchema,
  /** The name that the list gets unless another one is sent. */
  name: z.string(),
  /** Replaces the file when the list is created, so that a large file is sent once. */
  upload_id: idSchema,
  detected: z.object({
    ...detectedFileFields,
    /** Name of the email column, or its number if the first row contains addresses. */
    email_column: z.string(),
    /** Counts from 1. */
    email_column_number: z.number(),
    /** All columns that contain addresses; only `email_column` is verified. */
    email_columns: z.array(z.string()),
    has_header_row: z.boolean(),
    /** Rows above the table that are left out: Excel's `sep=;`, and titles. */
    skipped_rows: z.number(),
    /** Rows with a quote that is opened and not closed, or not doubled inside a cell. It is read as text; `first` names up to 5 rows. */
    broken_quotes: z.object({ rows: z.number(), first: z.array(z.number()) }),
    rows: z.number(),
  }),
  /** The first rows below `skipped_rows`, a header row included. */
  first_rows: firstRowsSchema,
  /** The first rows that are not verified, up to 5 of each reason; `row` is the row in the file, without blank lines. */
  excluded: z.array(z.object({ row: z.number(), email: z.string(), reason: exclusionReasonSchema })),
  ...sandboxMark,
});
export type ListPreview = z.output<typeof listPreviewSchema>;

/** What a sample of a file's addresses shows. Those without a mail host become INVALID. */
export const listEstimateSchema = z.object({
  ...estimateFields,
  /** Of all sampled: throw-away domains, names of functions such as info@, and domains that look mistyped. */
  disposable: z.number(),
  role: z.number(),
  typo: z.number(),
  /** What the whole list will probably ask mail hosts, the provider with the most addresses first. */
  questions: z.array(
    z.object({
      /** Null for all hosts whose limits nobody publishes. */
      provider: z.nullable(z.string()),
      emails: z.number(),
      questions: z.number(),
      refusals: z.nullable(z.number()),
    }),
  ),
});
export type ListEstimate = z.output<typeof listEstimateSchema>;

const uploadParams = z.strictObject({ upload_id: idSchema });

const emailColumnField = { email_column: columnField };
/** In a form, it comes before the file, because addresses are looked up while it is read. */
const ignoreSuppressionField = { ignore_suppression: z.optional(formSwitchSchema) };

export const fileRoutes = {
  previewList: defineRoute({
    method: 'POST',
    path: '/validations/lists_bulk/validation',
    auth: 'user_or_key',
    keyScope: 'verify',
    leastRole: 'member',
    tag,
    summary: 'Preview a CSV, text or Excel file: price, detected columns and first rows',
    isRepeatable: true,
    query: sandboxQuery,
    multipart: true,
    body: z.strictObject({
      ...sheetField,
      ...emailColumnField,
      ...ignoreSuppressionField,
      /** In place of a file: reads an earlier preview's file again, with another `email_column`. */
      upload_id: z.optional(idSchema),
      ...listFileFields,
      /** Accepted so that one form works for both calls. The preview counts the first row either way. */
      with_headers: z.optional(formSwitchSchema),
    }),
    success: { status: 200, schema: listPreviewSchema },
  }),
  estimateList: defineRoute({
    method: 'POST',
    path: '/validations/lists_bulk/:upload_id/estimate',
    auth: 'user_or_key',
    keyScope: 'verify',
    leastRole: 'member',
    tag,
    summary: 'Estimate the results of a previewed file from a sample, for free and without asking mail hosts',
    isRepeatable: true,
    params: uploadParams,
    success: { status: 200, schema: listEstimateSchema },
  }),
  exportExclusions: defineRoute({
    method: 'POST',
    path: '/validations/lists_bulk/:upload_id/exclusions',
    isOpenWhenSuspended: true,
    auth: 'user_or_key',
    keyScope: 'verify',
    leastRole: 'member',
    tag,
    summary: 'Get a signed link to the rows of a previewed file that are not verified, with the reasons',
    isRepeatable: true,
    params: uploadParams,
    query: z.strictObject({ with_headers: z.optional(switchSchema) }),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
  createList: defineRoute({
    method: 'POST',
    path: '/validations/lists_bulk',
    auth: 'user_or_key',
    keyScope: 'verify',
    leastRole: 'member',
    tag,
    takesIdempotencyKey: true,
    summary: 'Verify a CSV, text or Excel file, sent now or previewed earlier',
    query: sandboxQuery,
    multipart: true,
    body: z.strictObject({
      ...sheetField,
      ...emailColumnField,
      ...ignoreSuppressionField,
      ...listFileFields,
      upload_id: z.optional(idSchema),
      with_headers: z._default(formSwitchSchema, true),
      name: z.optional(listNameSchema),
    }),
    success: { status: 201, schema: validationListSchema },
  }),
};
