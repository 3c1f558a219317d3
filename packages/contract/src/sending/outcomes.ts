import * as z from 'zod/mini';
import { firstRowsSchema, listFileFields, sheetField } from '../bulk.ts';
import { dateTimeSchema, idSchema } from '../fields.ts';
import { OUTCOME_FILES, OUTCOME_SOURCES, OUTCOMES, REPORTED_KINDS } from '../names/outcome-names.ts';
import { pageOf, pageQuerySchema } from '../paging.ts';
import { defineRoute } from '../route.ts';
import { bounceActionSchema } from './bounces.ts';
import { outcomeKindSchema } from './check-outcomes.ts';

const bodyBytesMax = 2_000_000;
const tag = 'Outcomes';
const common = { auth: 'user_or_key', keyScope: 'report_outcomes', tag } as const;

const addressLengthMax = 320;

export const reportedOutcomeSchema = z.strictObject({
  email: z.string().check(z.minLength(3), z.maxLength(addressLengthMax)),
  kind: z.enum(REPORTED_KINDS),
  at: dateTimeSchema,
  detail: z.optional(z.string().check(z.maxLength(OUTCOMES.detailLengthMax))),
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(OUTCOMES.eventIdLengthMax))),
});

/** What happened to mail for one address. */
export const outcomeSchema = z.object({
  /** Counts the outcomes of an account in the order in which they came. */
  number: z.number(),
  email: z.string(),
  kind: outcomeKindSchema,
  at: dateTimeSchema,
  reason: z.object({ code: z.string(), text: z.string() }),
  words: z.string(),
  action: bounceActionSchema,
  source: z.enum(OUTCOME_SOURCES),
  recorded_date: dateTimeSchema,
});
export type ReportedOutcome = z.output<typeof outcomeSchema>;

export const outcomeCountsSchema = z.object({
  hard: z.number(),
  soft: z.number(),
  block: z.number(),
  complaint: z.number(),
  unsubscribed: z.number(),
  auto_reply: z.number(),
  delivered: z.number(),
  not_sent: z.number(),
  unclear: z.number(),
});
export type OutcomeCounts = z.output<typeof outcomeCountsSchema>;

/** A column from 1, or 0 for none. Absent, we look for it. */
const chosenColumn = z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_000)));
const foundColumn = z.nullable(z.number());

const fileFields = {
  ...listFileFields,
  ...sheetField,
  email_column: chosenColumn,
  kind_column: chosenColumn,
  at_column: chosenColumn,
  detail_column: chosenColumn,
  id_column: chosenColumn,
  /** Of rows without a kind. */
  kind: z.optional(z.enum(REPORTED_KINDS)),
  /** Of rows without a date. */
  date: z.optional(z.iso.date().check(z.maxLength(10))),
};

/** What we make of a file. */
export const outcomeFileSchema = z.object({
  /** `mails`: mails that came back, one or many. */
  format: z.enum(['csv', 'xlsx', 'ods', 'zip', 'mails']),
  sheet: z.optional(z.string()),
  sheets: z.optional(z.array(z.string())),
  /** Which columns of a table are read, from 1; null for mails. */
  columns: z.nullable(
    z.object({
      email: foundColumn,
      kind: foundColumn,
      at: foundColumn,
      detail: foundColumn,
      id: foundColumn,
    }),
  ),
  /** What a table does not say, so that none of its rows can be read. */
  missing: z.array(z.enum(['email', 'kind', 'at'])),
  first_rows: firstRowsSchema,
  /** Rows below the header, or mails. */
  total: z.number(),
  understood: z.number(),
  counts: outcomeCountsSchema,
  /** The first outcomes that were understood. */
  examples: z
    .array(
      z.object({
        place: z.number(),
        email: z.string(),
        kind: outcomeKindSchema,
        at: dateTimeSchema,
        reason: z.object({ code: z.string(), text: z.string() }),
        words: z.string(),
      }),
    )
    .check(z.maxLength(OUTCOME_FILES.examplesMax)),
  /** Rows and mails that say nothing of what we keep, such as that a mail was opened, or a mail that is no report. */
  said_nothing: z.number(),
  not_readable: z.number(),
  problems: z
    .array(z.object({ place: z.number(), problem: z.string() }))
    .check(z.maxLength(OUTCOME_FILES.problemsNamedMax)),
});
export type OutcomeFile = z.output<typeof outcomeFileSchema>;

export const outcomesRoutes = {
  listOutcomes: defineRoute({
    ...common,
    leastRole: 'viewer',
    method: 'GET',
    path: '/outcomes',
    summary: 'List what happened to your mail, the newest report first, with counts by kind',
    query: z.extend(pageQuerySchema, {
      /** A part of the address. */
      search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
      kind: z.optional(outcomeKindSchema),
    }),
    success: {
      status: 200,
      schema: z.extend(pageOf(outcomeSchema), {
        /** Of all outcomes, whatever the filters. */
        counts: outcomeCountsSchema,
      }),
    },
  }),
  previewFile: defineRoute({
    ...common,
    leastRole: 'member',
    method: 'POST',
    path: '/outcomes/files/preview',
    summary: 'Show what we make of a file of outcomes: CSV, workbook, mails or zip; keeps nothing',
    isRepeatable: true,
    multipart: true,
    body: z.strictObject(fileFields),
    success: { status: 200, schema: outcomeFileSchema },
  }),
  importFile: defineRoute({
    ...common,
    leastRole: 'member',
    method: 'POST',
    path: '/outcomes/files',
    summary: 'Keep the outcomes of a file; free',
    isRepeatable: true,
    multipart: true,
    body: z.strictObject(fileFields),
    success: {
      status: 200,
      schema: z.object({ recorded: z.number(), repeated: z.number(), file: outcomeFileSchema }),
    },
  }),
  report: defineRoute({
    ...common,
    method: 'POST',
    path: '/outcomes',
    leastRole: 'member',
    summary: 'Report what happened to mail after you sent it: bounces, complaints, deliveries; free',
    isRepeatable: true,
    bodyBytesMax,
    body: z.strictObject({
      outcomes: z.array(reportedOutcomeSchema).check(z.minLength(1), z.maxLength(OUTCOMES.atOnceMax)),
      list_id: z.optional(idSchema),
    }),
    success: {
      status: 200,
      schema: z.object({ recorded: z.number(), repeated: z.number() }),
    },
  }),
};
