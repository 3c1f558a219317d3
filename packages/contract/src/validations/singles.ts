import * as z from 'zod/mini';
import { exportFormatSchema, formulasSchema } from '../bulk.ts';
import { dateTimeSchema, idSchema, nothingSchema } from '../fields.ts';
import { pageOf, pageQuerySchema } from '../paging.ts';
import { repeated } from '../repeated.ts';
import { defineRoute } from '../route.ts';
import { outcomesBeside } from '../sending/check-outcomes.ts';
import { verdictDetailSchema, verdictReasonSchema, verdictSchema } from '../verdicts.ts';
import { sandboxMark, sandboxQuery } from './shared.ts';

const tag = 'Single checks';

/** What a check waits for: the mail host, or something of ours. */
export const singleWaitSchema = z.object({
  cause: z.enum(['mail_host', 'our_connections', 'our_limits', 'our_network', 'our_name_server']),
  /** The mail host, or the domain if its hosts are not known. */
  host: z.string(),
  /** When we try again; null if we do not know. */
  until: z.nullable(dateTimeSchema),
  text: z.string(),
});
export type SingleWait = z.output<typeof singleWaitSchema>;

export const singleValidationSchema = z.object({
  id: idSchema,
  email_address: z.string(),
  /** Null until the check is complete. */
  email_address_status: z.nullable(verdictSchema),
  status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETE']),
  reason: z.nullable(verdictReasonSchema),
  /** Null if the check is complete, or under way. */
  waiting: z.nullable(singleWaitSchema),
  creation_date: dateTimeSchema,
  ...outcomesBeside,
  ...sandboxMark,
});
export type SingleValidation = z.output<typeof singleValidationSchema>;

export const singleValidationDetailSchema = z.extend(singleValidationSchema, verdictDetailSchema.shape);
export type SingleValidationDetail = z.output<typeof singleValidationDetailSchema>;

/** Shorter than the minute after which many proxies give up. */
export const WAIT_SECONDS_MAX = 50;

/** The verifier checks whether it is an address; no address is longer. */
const typedAddress = z.string().check(z.maxLength(1_000, 'Enter a valid email'));

/** Which single checks are meant. */
const singlesFilterFields = {
  /** A part of the address. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  /** Only complete checks with one of these verdicts. */
  status: z.optional(repeated(verdictSchema)),
};

export const singleRoutes = {
  listSingles: defineRoute({
    method: 'GET',
    path: '/validations/email_validation',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    tag,
    summary: 'List single checks, newest first',
    query: z.extend(pageQuerySchema, singlesFilterFields),
    success: { status: 200, schema: pageOf(singleValidationSchema) },
  }),
  getSingle: defineRoute({
    method: 'GET',
    path: '/validations/email_validation/:validation_id',
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
    ownWorkScope: 'verify',
    tag,
    summary: 'Get one single check with its evidence',
    params: z.strictObject({ validation_id: idSchema }),
    success: { status: 200, schema: singleValidationDetailSchema },
  }),
  deleteSingle: defineRoute({
    method: 'DELETE',
    path: '/validations/email_validation/:validation_id',
    auth: 'user_or_key',
    keyScope: 'manage_lists',
    leastRole: 'member',
    tag,
    summary: 'Delete a single check; a running one is stopped and costs nothing',
    params: z.strictObject({ validation_id: idSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
  exportSingles: defineRoute({
    method: 'POST',
    path: '/validations/email_validation/export',
    isOpenWhenSuspended: true,
    auth: 'user_or_key',
    keyScope: 'read_results',
    leastRole: 'viewer',
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
    keyScope: 'verify',
    leastRole: 'member',
    tag,
    summary: 'Check one address: start the check, or wait for its verdict',
    takesIdempotencyKey: true,
    query: z.extend(sandboxQuery, {
      /** Seconds to wait for the verdict; absent: answer at once. */
      wait: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(WAIT_SECONDS_MAX))),
    }),
    /** The product sends `email_address`; `email` works too. */
    body: z.strictObject({
      email_address: z.optional(typedAddress),
      email: z.optional(typedAddress),
      ignore_suppression: z.optional(z.boolean()),
    }),
    success: {
      status: 201,
      schema: singleValidationDetailSchema,
      otherStatuses: {
        200: 'The verdict, for a call that waits',
        202: 'No verdict within the wait: `location` is the URL of the check',
      },
    },
  }),
};
