import * as z from 'zod/mini';
import { listFileFields } from '../bulk.ts';
import { dateTimeSchema, idSchema, nothingSchema } from '../fields.ts';
import { SUPPRESSION_LIMITS, SUPPRESSION_REASONS, SUPPRESSION_SOURCES } from '../names/suppression-names.ts';
import { pageOf, pageQuerySchema } from '../paging.ts';
import { defineRoute } from '../route.ts';

const tag = 'Suppressions';
const common = { auth: 'user_or_key', keyScope: 'suppressions', tag } as const;

export const suppressionKindSchema = z.enum(['address', 'domain']);
const reasonSchema = z.enum(SUPPRESSION_REASONS);

/** What is suppressed and why. */
const entryFields = {
  /** An address, or a domain for all of its addresses, in lower case and A-labels. */
  target: z.string(),
  kind: suppressionKindSchema,
  reason: reasonSchema,
  source: z.enum(SUPPRESSION_SOURCES),
  creation_date: dateTimeSchema,
  /** From then on it is asked again; null for never. */
  end_date: z.nullable(dateTimeSchema),
};

export const suppressionSchema = z.object({ id: idSchema, ...entryFields });
export type Suppression = z.output<typeof suppressionSchema>;

export const suppressionChangeSchema = z.object({
  change: z.enum(['added', 'removed']),
  ...entryFields,
  /** When it was removed, or ended; null for an entry that counts. */
  removal_date: z.nullable(dateTimeSchema),
});
export type SuppressionChange = z.output<typeof suppressionChangeSchema>;

/** The server checks whether it is an address or a domain; neither is longer. */
const targetSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(1_000));

export const newSuppressionSchema = z.strictObject({
  target: targetSchema,
  reason: z._default(reasonSchema, 'added'),
  end_date: z._default(z.nullable(dateTimeSchema), null),
});

const problemsSchema = z.array(z.object({ row: z.number(), target: z.string(), problem: z.string() }));

export const suppressionCountsSchema = z.object({
  added: z.number(),
  /** Those that were there with another end. */
  changed: z.number(),
  unchanged: z.number(),
});
export type SuppressionCounts = z.output<typeof suppressionCountsSchema>;

const filterFields = {
  /** A part of the address or domain. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  kind: z.optional(suppressionKindSchema),
  reason: z.optional(reasonSchema),
};

export const suppressionsRoutes = {
  listSuppressions: defineRoute({
    ...common,
    leastRole: 'viewer',
    method: 'GET',
    path: '/suppressions',
    summary: 'List whom you do not want to ask or mail, newest first',
    query: z.extend(pageQuerySchema, filterFields),
    success: { status: 200, schema: pageOf(suppressionSchema) },
  }),
  addSuppressions: defineRoute({
    ...common,
    leastRole: 'member',
    method: 'POST',
    path: '/suppressions',
    summary: 'Suppress addresses and domains',
    isRepeatable: true,
    body: z.strictObject({
      entries: z
        .array(newSuppressionSchema)
        .check(z.minLength(1), z.maxLength(SUPPRESSION_LIMITS.entriesPerCall)),
    }),
    success: { status: 200, schema: suppressionCountsSchema },
  }),
  removeSuppression: defineRoute({
    ...common,
    leastRole: 'member',
    method: 'DELETE',
    path: '/suppressions',
    summary: 'Remove an address or a domain, which is asked again from then on',
    query: z.strictObject({ target: targetSchema }),
    success: { status: 204, schema: nothingSchema },
  }),
  importSuppressions: defineRoute({
    ...common,
    leastRole: 'member',
    method: 'POST',
    path: '/suppressions/import',
    summary: 'Suppress the addresses and domains of a CSV file',
    isRepeatable: true,
    multipart: true,
    body: z.strictObject(listFileFields),
    success: {
      status: 200,
      schema: z.extend(suppressionCountsSchema, {
        /** Rows that are neither an address nor a domain, or whose end cannot be read. */
        not_readable: z.number(),
        /** The first 20 of them. */
        problems: problemsSchema,
      }),
    },
  }),
  exportSuppressions: defineRoute({
    ...common,
    leastRole: 'viewer',
    method: 'POST',
    path: '/suppressions/export',
    isOpenWhenSuspended: true,
    summary: 'Get a signed link to a CSV file of your suppressions',
    isRepeatable: true,
    query: z.strictObject(filterFields),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
  listSuppressionChanges: defineRoute({
    ...common,
    leastRole: 'viewer',
    method: 'GET',
    path: '/suppressions/changes',
    summary: 'Follow what was suppressed and removed since a cursor, oldest first',
    query: z.strictObject({
      cursor: z.optional(z.string().check(z.maxLength(100))),
      limit: z._default(
        z.coerce.number().check(z.int(), z.minimum(1), z.maximum(SUPPRESSION_LIMITS.changesPerPage)),
        SUPPRESSION_LIMITS.changesPerPage,
      ),
    }),
    success: {
      status: 200,
      schema: z.object({
        results: z.array(suppressionChangeSchema),
        /** For the next call. */
        cursor: z.string(),
        /** Whether there are more changes already. */
        has_more: z.boolean(),
      }),
    },
  }),
};
