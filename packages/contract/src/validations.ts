import * as z from 'zod/mini';
import {
  detectedFileFields,
  exportFormatSchema,
  fileMetricsSchema,
  firstRowsSchema,
  formulasSchema,
  listFields,
  listFileFields,
  listParams,
  listsQuerySchema,
  sheetField,
} from './bulk.ts';
import { dateTimeSchema, formSwitchSchema, idSchema, nothingSchema, switchSchema } from './fields.ts';
import { listNameSchema } from './list-name.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { repeated } from './repeated.ts';
import { defineRoute } from './route.ts';
import { textList } from './text-list.ts';
import {
  addressFlagSchema,
  addressTraitsSchema,
  verdictDetailSchema,
  verdictReasonSchema,
  verdictSchema,
} from './verdicts.ts';

const tag = 'Validations';

/** Only answers about sandbox work carry this. */
const sandboxMark = { sandbox: z.optional(z.literal(true)) };

/** `sandbox` requests a free answer of the sandbox, which knows addresses that end in .test. */
const sandboxQuery = z.strictObject({ sandbox: z.optional(switchSchema) });

/** Most addresses in one list of the sandbox. */
export const SANDBOX_EMAILS_MAX = 1_000;

export const singleValidationSchema = z.object({
  id: idSchema,
  email_address: z.string(),
  /** Null until the check is complete. */
  email_address_status: z.nullable(verdictSchema),
  status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETE']),
  reason: z.nullable(verdictReasonSchema),
  creation_date: dateTimeSchema,
  ...sandboxMark,
});
export type SingleValidation = z.output<typeof singleValidationSchema>;

export const singleValidationDetailSchema = z.extend(singleValidationSchema, verdictDetailSchema.shape);
export type SingleValidationDetail = z.output<typeof singleValidationDetailSchema>;

export const emailMetricsSchema = z.object({
  valid_emails: z.number(),
  invalid_emails: z.number(),
  catch_all_emails: z.number(),
  unknown_emails: z.number(),
});
export type EmailMetrics = z.output<typeof emailMetricsSchema>;

const listFileMetricsSchema = z.extend(fileMetricsSchema, {
  /** The part of `non_billable` whose email cell is empty. */
  no_email: z.number(),
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

export const listEmailSchema = z.object({
  id: z.string(),
  email_address: z.string(),
  email_address_status: z.nullable(verdictSchema),
  reason: z.nullable(verdictReasonSchema),
  ...addressTraitsSchema.shape,
  ...sandboxMark,
});
export type ListEmail = z.output<typeof listEmailSchema>;

export const listEmailDetailSchema = z.extend(listEmailSchema, verdictDetailSchema.shape);
export type ListEmailDetail = z.output<typeof listEmailDetailSchema>;

/** Larger totals of filtered emails are not counted, and larger selections are not sorted. */
export const COUNTED_EMAILS_MAX = 10_000;
/** The most reasons and providers that one call filters by. */
const FILTER_VALUES_MAX = 50;
/** The most providers that a summary names. */
export const SUMMARY_PROVIDERS_MAX = 50;

/** Which addresses of a list are meant. Values of one filter are alternatives; an address must match all filters. */
const emailFilterFields = {
  /** A part of the address. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  status: z.optional(repeated(verdictSchema)),
  reason: z.optional(repeated(z.string().check(z.maxLength(40)), FILTER_VALUES_MAX)),
  flag: z.optional(repeated(addressFlagSchema)),
  mx_provider: z.optional(repeated(z.string().check(z.maxLength(254)), FILTER_VALUES_MAX)),
};
/** `row` is the order of the file; `-` in front turns the order round. */
const emailSortSchema = z.enum(['row', '-row', 'email', '-email', 'status', '-status']);
export type EmailSort = z.output<typeof emailSortSchema>;

/** How often each reason, flag and provider occurs in a list so far. */
export const emailSummarySchema = z.object({
  reasons: z.array(z.object({ reason: verdictReasonSchema, status: verdictSchema, emails: z.number() })),
  flags: z.array(z.object({ flag: addressFlagSchema, emails: z.number() })),
  /** The most frequent ones. */
  mx_providers: z.array(z.object({ mx_provider: z.string(), emails: z.number() })),
});
export type EmailSummary = z.output<typeof emailSummarySchema>;

/** Why a row of a file is not verified. */
const exclusionReasonSchema = z.enum(['duplicated', 'malformed', 'no_email']);

export const listPreviewSchema = z.object({
  /** The maximum price of the list. */
  total_credits: z.number(),
  metrics: listFileMetricsSchema,
  /** The same if the list is created with `with_headers` true, which leaves the first row out. */
  metrics_with_headers: listFileMetricsSchema,
  /** The same with `with_headers` false. */
  metrics_without_headers: listFileMetricsSchema,
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
    rows: z.number(),
  }),
  /** The first rows below `skipped_rows`, a header row included. */
  first_rows: firstRowsSchema,
  /** The first rows that are not verified, up to 5 of each reason; `row` is the row in the file, without blank lines. */
  excluded: z.array(z.object({ row: z.number(), email: z.string(), reason: exclusionReasonSchema })),
  ...sandboxMark,
});
export type ListPreview = z.output<typeof listPreviewSchema>;

export const metricsEntrySchema = z.object({
  date: dateTimeSchema,
  validation_list_email_metrics: z.extend(emailMetricsSchema, { pending_emails: z.number() }),
});
export type MetricsEntry = z.output<typeof metricsEntrySchema>;

/** What a sample of a file's addresses shows without asking their mail hosts. */
export const listEstimateSchema = z.object({
  /** Addresses in the sample, which was drawn from all `total` addresses of the file. */
  sampled: z.number(),
  total: z.number(),
  /** Those whose domain takes no mail. They become INVALID. */
  no_mail_host: z.number(),
  /** Those whose domain takes mail. Only the mail host can tell whether it has the mailbox. */
  mail_host: z.number(),
  /** Those whose domain could not be looked up in time. */
  not_looked_up: z.number(),
  /** Of all sampled: throw-away domains, names of functions such as info@, and domains that look mistyped. */
  disposable: z.number(),
  role: z.number(),
  typo: z.number(),
});
export type ListEstimate = z.output<typeof listEstimateSchema>;

const uploadParams = z.strictObject({ upload_id: idSchema });

/** The column with the emails, from 1. In a form, it comes before the file. */
const emailColumnField = {
  email_column: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000))),
};

/** Shorter than the minute after which many proxies give up. */
export const WAIT_SECONDS_MAX = 50;

/** Most addresses in one JSON body; longer lists are sent as files, which are streamed. */
export const JSON_LIST = { emailsMax: 100_000, bytesMax: 8 * 1024 * 1024 } as const;

/** The verifier checks whether it is an address; no address is longer. */
const typedAddress = z.string().check(z.maxLength(1_000, 'Enter a valid email'));

/** Which part of a list a download contains, and how it is written. */
const exportFields = {
  /** All verdicts unless given. */
  status: z.optional(repeated(verdictSchema)),
  /** `true` keeps only addresses that are safe to send to: valid, not disposable, not of a role. */
  safe: z.optional(switchSchema),
  format: z.optional(exportFormatSchema),
  /** `all` includes every row of the customer's file: also duplicates, malformed rows and rows without an email. */
  rows: z.optional(z.enum(['distinct', 'all'])),
  /** By default, cells that a spreadsheet would run as formulas get an apostrophe in front; `raw` leaves them unchanged. */
  formulas: z.optional(formulasSchema),
};

/** How long a link to a download may work, and how many a list may have. */
export const EXPORT_LINKS = { daysMax: 30, daysDefault: 7, perListMax: 20 } as const;

const exportLinkFields = {
  id: idSchema,
  /** The name of the file, which says what is inside. */
  name: z.string(),
  creation_date: dateTimeSchema,
  expiration_date: dateTimeSchema,
  /** To the minute; null if nobody followed the link. */
  last_used_date: z.nullable(dateTimeSchema),
};
export const exportLinkSchema = z.object(exportLinkFields);
export type ExportLink = z.output<typeof exportLinkSchema>;
/** Only the answer to its creation has the URL: we keep a hash of it. */
export const newExportLinkSchema = z.object({ ...exportLinkFields, url: z.string() });

/** Which single checks are meant. */
const singlesFilterFields = {
  /** A part of the address. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  /** Only complete checks with one of these verdicts. */
  status: z.optional(repeated(verdictSchema)),
};

export const validationsRoutes = {
  listSingles: defineRoute({
    method: 'GET',
    path: '/validations/email_validation',
    auth: 'user_or_key',
    tag,
    summary: 'List single checks, newest first',
    query: z.extend(pageQuerySchema, singlesFilterFields),
    success: { status: 200, schema: pageOf(singleValidationSchema) },
  }),
  getSingle: defineRoute({
    method: 'GET',
    path: '/validations/email_validation/:validation_id',
    auth: 'user_or_key',
    tag,
    summary: 'Get one single check with its evidence',
    params: z.strictObject({ validation_id: idSchema }),
    success: { status: 200, schema: singleValidationDetailSchema },
  }),
  deleteSingle: defineRoute({
    method: 'DELETE',
    path: '/validations/email_validation/:validation_id',
    auth: 'user_or_key',
    tag,
    summary: 'Delete a single check; a running one is stopped and costs nothing',
    params: z.strictObject({ validation_id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
  exportSingles: defineRoute({
    method: 'POST',
    path: '/validations/email_validation/export',
    auth: 'user_or_key',
    tag,
    summary: 'Get a signed link to a file of complete single checks',
    isRepeatable: true,
    query: z.strictObject({
      ...singlesFilterFields,
      format: z.optional(exportFormatSchema),
      formulas: z.optional(formulasSchema),
    }),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
  startSingle: defineRoute({
    method: 'POST',
    path: '/validations/email_validation',
    auth: 'user_or_key',
    tag,
    summary: 'Check one address: start the check, or wait for its verdict',
    takesIdempotencyKey: true,
    query: z.extend(sandboxQuery, {
      /** Seconds to wait for the verdict; absent: answer at once. */
      wait: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(WAIT_SECONDS_MAX))),
    }),
    /** The product sends `email_address`; `email` works too. */
    body: z.strictObject({ email_address: z.optional(typedAddress), email: z.optional(typedAddress) }),
    success: {
      status: 201,
      schema: singleValidationDetailSchema,
      otherStatuses: {
        200: 'The verdict, for a call that waits',
        202: 'No verdict within the wait: `location` is the URL of the check',
      },
    },
  }),
  listLists: defineRoute({
    method: 'GET',
    path: '/validations/lists',
    auth: 'user_or_key',
    tag,
    summary: 'List the lists, newest first unless sorted otherwise',
    query: listsQuerySchema,
    success: { status: 200, schema: pageOf(validationListSchema) },
  }),
  createListFromEmails: defineRoute({
    method: 'POST',
    path: '/validations/lists',
    auth: 'user_or_key',
    tag,
    takesIdempotencyKey: true,
    summary: 'Verify a list of addresses sent as JSON',
    query: sandboxQuery,
    bodyBytesMax: JSON_LIST.bytesMax,
    body: z.strictObject({
      name: z.optional(listNameSchema),
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
  getList: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id',
    auth: 'user_or_key',
    tag,
    summary: 'Get one list',
    params: listParams,
    success: { status: 200, schema: validationListSchema },
  }),
  listEmails: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/emails',
    auth: 'user_or_key',
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
    tag,
    summary: 'Count the reasons, flags and providers of a list',
    params: listParams,
    success: { status: 200, schema: emailSummarySchema },
  }),
  getListEmail: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/emails/:email_id',
    auth: 'user_or_key',
    tag,
    summary: 'Get one address of a list with its evidence',
    params: z.extend(listParams, { email_id: z.string().check(z.maxLength(12), z.regex(/^\d{1,12}$/)) }),
    success: { status: 200, schema: listEmailDetailSchema },
  }),
  renameList: defineRoute({
    method: 'PUT',
    path: '/validations/lists/:list_id',
    auth: 'user_or_key',
    tag,
    summary: 'Rename a list',
    params: listParams,
    body: z.strictObject({ id: z.optional(idSchema), name: listNameSchema }),
    success: { status: 200, schema: validationListSchema },
  }),
  deleteList: defineRoute({
    method: 'DELETE',
    path: '/validations/lists/:list_id',
    auth: 'user_or_key',
    tag,
    summary: 'Delete a list; a running list is stopped and settled',
    params: listParams,
    success: { status: 204, schema: nothingSchema },
  }),
  pauseList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/pause',
    auth: 'user_or_key',
    tag,
    isRepeatable: true,
    summary: 'Pause a list: no further row is checked; after 30 days it is finished',
    params: listParams,
    success: { status: 200, schema: validationListSchema },
  }),
  resumeList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/resume',
    auth: 'user_or_key',
    tag,
    isRepeatable: true,
    summary: 'Resume a paused list',
    params: listParams,
    success: { status: 200, schema: validationListSchema },
  }),
  finishList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/finish',
    auth: 'user_or_key',
    tag,
    isRepeatable: true,
    summary: 'Finish a list now: rows without a result become UNKNOWN and cost nothing',
    params: listParams,
    success: { status: 200, schema: validationListSchema },
  }),
  reverifyList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/reverify',
    auth: 'user_or_key',
    tag,
    takesIdempotencyKey: true,
    summary: 'Verify the unknown addresses of a complete list again, as a new list',
    params: listParams,
    success: { status: 201, schema: validationListSchema },
  }),
  previewList: defineRoute({
    method: 'POST',
    path: '/validations/lists_bulk/validation',
    auth: 'user_or_key',
    tag,
    summary: 'Preview a CSV, text or Excel file: price, detected columns and first rows',
    isRepeatable: true,
    query: sandboxQuery,
    multipart: true,
    body: z.strictObject({
      ...sheetField,
      ...emailColumnField,
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
    tag,
    summary: 'Estimate the results of a previewed file from a sample, for free and without asking mail hosts',
    isRepeatable: true,
    params: uploadParams,
    success: { status: 200, schema: listEstimateSchema },
  }),
  exportExclusions: defineRoute({
    method: 'POST',
    path: '/validations/lists_bulk/:upload_id/exclusions',
    auth: 'user_or_key',
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
    tag,
    takesIdempotencyKey: true,
    summary: 'Verify a CSV, text or Excel file, sent now or previewed earlier',
    query: sandboxQuery,
    multipart: true,
    body: z.strictObject({
      ...sheetField,
      ...emailColumnField,
      ...listFileFields,
      upload_id: z.optional(idSchema),
      with_headers: z._default(formSwitchSchema, true),
      name: z.optional(listNameSchema),
    }),
    success: { status: 201, schema: validationListSchema },
  }),
  exportList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/export',
    auth: 'user_or_key',
    tag,
    summary: 'Get a signed link to the verified file',
    isRepeatable: true,
    params: listParams,
    query: z.strictObject(exportFields),
    success: { status: 200, schema: z.object({ download_link: z.string(), ...sandboxMark }) },
  }),
  createExportLink: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/links',
    auth: 'user_or_key',
    tag,
    summary: 'Make a link to a download that works without a sign-in until it expires or is revoked',
    params: listParams,
    body: z.strictObject({
      ...exportFields,
      days: z._default(
        z.int().check(z.minimum(1), z.maximum(EXPORT_LINKS.daysMax)),
        EXPORT_LINKS.daysDefault,
      ),
    }),
    success: { status: 201, schema: newExportLinkSchema },
  }),
  listExportLinks: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/links',
    auth: 'user_or_key',
    tag,
    summary: 'List the links to downloads of a list that still work',
    params: listParams,
    success: { status: 200, schema: z.object({ results: z.array(exportLinkSchema) }) },
  }),
  revokeExportLink: defineRoute({
    method: 'DELETE',
    path: '/validations/lists/:list_id/links/:link_id',
    auth: 'user_or_key',
    tag,
    summary: 'Revoke a link to a download',
    params: z.extend(listParams, { link_id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
};
