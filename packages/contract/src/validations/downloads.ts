import * as z from 'zod/mini';
import { exportFormatSchema, formulasSchema, listParams } from '../bulk.ts';
import { dateTimeSchema, idSchema, nothingSchema, switchSchema } from '../fields.ts';
import { repeated } from '../repeated.ts';
import { defineRoute } from '../route.ts';
import { verdictSchema } from '../verdicts.ts';
import { sandboxMark } from './shared.ts';

const tag = 'Results and downloads';

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

export const downloadRoutes = {
  exportList: defineRoute({
    method: 'POST',
    path: '/validations/lists/:list_id/export',
    isOpenWhenSuspended: true,
    auth: 'user_or_key',
    keyScope: 'read_results',
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
    keyScope: 'manage_lists',
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
    tag,
    summary: 'Revoke a link to a download',
    params: z.extend(listParams, { link_id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
};
