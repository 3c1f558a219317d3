import * as z from 'zod/mini';
import { exportFormatSchema, formulasSchema, listParams } from '../bulk.ts';
import { dateTimeSchema, idSchema, nothingSchema, switchSchema } from '../fields.ts';
import { repeated } from '../repeated.ts';
import { defineRoute } from '../route.ts';
import { emailFilterFields } from './email-filter.ts';
import { CHOSEN_COLUMNS_MAX, RESULT_COLUMNS } from './result-columns.ts';
import { sandboxMark } from './shared.ts';

const tag = 'Results and downloads';

/** Which part of a list a download contains, and how it is written. */
const exportFields = {
  /** As for the emails of a list. All verdicts unless given; other filters need `rows` to be `distinct`. */
  ...emailFilterFields,
  /** The customer's columns to write, by their numbers from 1; all unless given, and none for 0. */
  column: z.optional(
    repeated(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000)), CHOSEN_COLUMNS_MAX),
  ),
  /** The columns to add; all unless given. */
  result_column: z.optional(repeated(z.enum(RESULT_COLUMNS))),
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

export const downloadRoutes = {
  exportList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/export',
    isOpenWhenSuspended: true,
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary: 'Get a signed link to the verified file',
    isRepeatable: true,
    params: listParams,
    query: z.strictObject(exportFields),
    success: { status: 200, schema: z.object({ download_link: z.string(), ...sandboxMark }) },
  }),
  getListColumns: defineRoute({
    method: 'GET',
    path: '/validations/lists/:list_id/columns',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary: 'List the columns of a list, for the export of some of them',
    params: listParams,
    success: {
      status: 200,
      schema: z.object({
        /** By their headers; empty for columns without one. At most 200. */
        columns: z.array(z.string()),
        /** From 1; null for older lists. */
        email_column: z.nullable(z.number()),
      }),
    },
  }),
  createExportLink: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/links',
    auth: 'user_or_key',
    keyScope: 'manage_lists',
    leastRole: 'member',
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
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary: 'List the links to downloads of a list that still work',
    params: listParams,
    success: { status: 200, schema: z.object({ results: z.array(exportLinkSchema) }) },
  }),
  revokeExportLink: defineRoute({
    method: 'DELETE',
    path: '/validations/lists/:list_id/links/:link_id',
    auth: 'user_or_key',
    keyScope: 'manage_lists',
    leastRole: 'member',
    tag,
    summary: 'Revoke a link to a download',
    params: z.extend(listParams, { link_id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
};
