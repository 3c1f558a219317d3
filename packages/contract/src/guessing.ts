import * as z from 'zod/mini';
import {
  columnField,
  detectedFileFields,
  estimateFields,
  exportFormatSchema,
  fileMetricsSchema,
  firstRowsSchema,
  formulasSchema,
  listFields,
  listFileFields,
  listParams,
  sheetField,
} from './bulk.ts';
import { controlRoutes } from './control-routes.ts';
import { dateTimeSchema, idSchema, switchSchema } from './fields.ts';
import { guessOutcomeSchema } from './guess-outcomes.ts';
import { companyDomainSchema } from './input/company-domain.ts';
import {
  LINKEDIN_URL_LENGTH_MAX,
  LINKEDIN_URL_NOT_READABLE_TEXT,
  readLinkedinProfile,
} from './input/linkedin-profile.ts';
import { listNameSchema } from './input/list-name.ts';
import { guessedFirstNameSchema, guessedLastNameSchema } from './input/person-name.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { repeated } from './repeated.ts';
import { defineRoute } from './route.ts';
import { verdictDetailSchema, verdictReasonSchema, verdictSchema } from './verdicts.ts';

export * from './guess-outcomes.ts';

const tag = 'Guessing';

export const linkedinUrlSchema = z.string().check(
  z.trim(),
  z.minLength(1, 'LinkedIn profile required'),
  z.maxLength(LINKEDIN_URL_LENGTH_MAX, LINKEDIN_URL_NOT_READABLE_TEXT),
  z.refine((address) => readLinkedinProfile(address) !== null, LINKEDIN_URL_NOT_READABLE_TEXT),
);

/** A person by name, or by the URL of a profile that contains the name, and the company's domain. */
export const guessOrderSchema = z.strictObject({
  first_name: z.optional(guessedFirstNameSchema),
  /** Absent for a person with a single name. */
  last_name: z.optional(guessedLastNameSchema),
  /** Parsed, never fetched; replaces the names. */
  linkedin_url: z.optional(linkedinUrlSchema),
  domain: companyDomainSchema,
});
export type GuessOrder = z.output<typeof guessOrderSchema>;

export const guessSchema = z.object({
  id: idSchema,
  first_name: z.string(),
  last_name: z.string(),
  domain: z.string(),
  status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETE']),
  /** Null until the guess is complete. */
  outcome: z.nullable(guessOutcomeSchema),
  /** The proved address, or with CATCH_ALL the likeliest one. */
  email_address: z.nullable(z.string()),
  reason: z.nullable(verdictReasonSchema),
  /** 1 for a clear answer, 0 for UNKNOWN; null until the guess is complete. Earlier guesses cost 1 if FOUND. */
  charged_credits: z.nullable(z.number()),
  creation_date: dateTimeSchema,
});
export type Guess = z.output<typeof guessSchema>;

/** One address that was tried, in order: the one that decided, which is charged, and those without a clear answer. */
export const guessTrySchema = z.object({
  email_address: z.string(),
  /** The pattern that produced it, such as {first}.{last}. */
  pattern: z.string(),
  email_address_status: verdictSchema,
  reason: verdictReasonSchema,
});
export type GuessTry = z.output<typeof guessTrySchema>;

export const guessDetailSchema = z.extend(guessSchema, {
  ...verdictDetailSchema.shape,
  tries: z.array(guessTrySchema),
});
export type GuessDetail = z.output<typeof guessDetailSchema>;

export const guessMetricsSchema = z.object({
  found: z.number(),
  catch_all: z.number(),
  not_found: z.number(),
  unknown: z.number(),
});

export const guessListSchema = z.object({
  ...listFields,
  /** Distinct people to guess. */
  total_people: z.number(),
  guess_metrics: guessMetricsSchema,
  /** The rows of the file that are not guessed; null for older lists. */
  excluded_people: z.nullable(z.omit(fileMetricsSchema, { billable: true })),
});
export type GuessList = z.output<typeof guessListSchema>;

/** What a column of a file of people may contain. */
export const PEOPLE_FIELDS = ['first_name', 'last_name', 'full_name', 'linkedin_url', 'domain'] as const;
export type PeopleField = (typeof PEOPLE_FIELDS)[number];

/** The columns to read in place of the detected ones: the domain, and a name or a profile. Those not given are not read. */
const peopleColumnFields = {
  first_name_column: columnField,
  last_name_column: columnField,
  full_name_column: columnField,
  linkedin_url_column: columnField,
  domain_column: columnField,
} satisfies Record<`${PeopleField}_column`, unknown>;

/** What a sample of a file of people shows. Those whose company takes no mail cannot be found. */
export const guessEstimateSchema = z.object(estimateFields);
export type GuessEstimate = z.output<typeof guessEstimateSchema>;

export const guessPreviewSchema = z.object({
  /** The maximum price of the list: one credit for each person, none for those who end as UNKNOWN. */
  total_credits: z.number(),
  metrics: fileMetricsSchema,
  /** The same if the list is created with `with_headers` true, which leaves the first row out. */
  metrics_with_headers: fileMetricsSchema,
  /** The same with `with_headers` false. */
  metrics_without_headers: fileMetricsSchema,
  /** Replaces the file when the list is created. */
  upload_id: idSchema,
  detected: z.object({
    ...detectedFileFields,
    /** The detected columns: name, or number if the first row is a person; `number` counts from 1. */
    columns: z.array(
      z.object({
        field: z.enum(PEOPLE_FIELDS),
        column: z.string(),
        number: z.number(),
      }),
    ),
    has_header_row: z.boolean(),
    rows: z.number(),
  }),
  /** The first rows of the table, a header row included. */
  first_rows: firstRowsSchema,
  /** The first rows that are not guessed, up to 5 of each reason; `row` is the row in the file, without blank lines. */
  excluded: z.array(
    z.object({
      row: z.number(),
      /** The cells that were read. */
      person: z.string(),
      reason: z.enum([
        'duplicated',
        'name_missing',
        'name_not_latin',
        'domain_missing',
        'domain_not_company',
      ]),
    }),
  ),
});
export type GuessPreview = z.output<typeof guessPreviewSchema>;

const guessParams = z.strictObject({ guess_id: idSchema });
const uploadParams = z.strictObject({ upload_id: idSchema });

/** Without the customer's flag `guessing_enabled`, all of these answer 404. */
export const guessingRoutes = {
  listGuesses: defineRoute({
    method: 'GET',
    path: '/guessing/email_guess',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'viewer',
    tag,
    isBehindFlag: true,
    summary: 'List single guesses, newest first',
    query: pageQuerySchema,
    success: { status: 200, schema: pageOf(guessSchema) },
  }),
  getGuess: defineRoute({
    method: 'GET',
    path: '/guessing/email_guess/:guess_id',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'viewer',
    tag,
    isBehindFlag: true,
    summary: 'Get one guess with the address that decided and its evidence',
    params: guessParams,
    success: { status: 200, schema: guessDetailSchema },
  }),
  startGuess: defineRoute({
    method: 'POST',
    path: '/guessing/email_guess',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'member',
    tag,
    isBehindFlag: true,
    takesIdempotencyKey: true,
    summary: 'Guess the address of one person; costs 1 credit for a clear answer, nothing for UNKNOWN',
    body: guessOrderSchema,
    success: { status: 201, schema: guessSchema },
  }),
  listPeople: defineRoute({
    method: 'GET',
    path: '/guessing/lists/:list_id/people',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'viewer',
    tag,
    isBehindFlag: true,
    summary: 'List the people of a list, in the order of the file',
    params: listParams,
    query: z.extend(pageQuerySchema, { outcome: z.optional(repeated(guessOutcomeSchema)) }),
    success: { status: 200, schema: pageOf(guessSchema) },
  }),
  ...controlRoutes({
    base: '/guessing',
    tag,
    schema: guessListSchema,
    list: 'a list of people',
    rows: 'people',
    isBehindFlag: true,
    keyScopes: { read: 'guess', manage: 'guess', start: 'guess' },
  }),
  previewList: defineRoute({
    method: 'POST',
    path: '/guessing/lists_bulk/validation',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'member',
    tag,
    isBehindFlag: true,
    summary: 'Preview a CSV or Excel file of people: price, detected columns and first rows',
    isRepeatable: true,
    multipart: true,
    body: z.strictObject({
      ...sheetField,
      ...peopleColumnFields,
      /** In place of a file: reads an earlier preview's file again, with other columns. */
      upload_id: z.optional(idSchema),
      ...listFileFields,
    }),
    success: { status: 200, schema: guessPreviewSchema },
  }),
  estimateList: defineRoute({
    method: 'POST',
    path: '/guessing/lists_bulk/:upload_id/estimate',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'member',
    tag,
    isBehindFlag: true,
    summary: 'Estimate the results of a previewed file from a sample, for free and without asking mail hosts',
    isRepeatable: true,
    params: uploadParams,
    success: { status: 200, schema: guessEstimateSchema },
  }),
  exportExclusions: defineRoute({
    method: 'POST',
    path: '/guessing/lists_bulk/:upload_id/exclusions',
    isOpenWhenSuspended: true,
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'member',
    tag,
    isBehindFlag: true,
    summary: 'Get a signed link to the rows of a previewed file that are not guessed, with the reasons',
    isRepeatable: true,
    params: uploadParams,
    query: z.strictObject({ with_headers: z.optional(switchSchema) }),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
  createList: defineRoute({
    method: 'POST',
    path: '/guessing/lists_bulk',
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'member',
    tag,
    isBehindFlag: true,
    takesIdempotencyKey: true,
    summary: 'Guess the people of a previewed CSV file',
    body: z.strictObject({
      upload_id: idSchema,
      with_headers: z._default(z.boolean(), true),
      name: z.optional(listNameSchema),
    }),
    success: { status: 201, schema: guessListSchema },
  }),
  exportList: defineRoute({
    method: 'POST',
    path: '/guessing/lists/:list_id/export',
    isOpenWhenSuspended: true,
    auth: 'user_or_key',
    keyScope: 'guess',
    leastRole: 'viewer',
    tag,
    isBehindFlag: true,
    summary: 'Get a signed link to the file with the addresses added',
    isRepeatable: true,
    params: listParams,
    query: z.strictObject({
      outcome: z.optional(repeated(guessOutcomeSchema)),
      format: z.optional(exportFormatSchema),
      /** `all` includes every row of the customer's file, also people that were not guessed. */
      rows: z.optional(z.enum(['distinct', 'all'])),
      /** By default, cells that a spreadsheet would run as formulas get an apostrophe in front; `raw` leaves them unchanged. */
      formulas: z.optional(formulasSchema),
    }),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
};
