import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';
import { pageQuerySchema } from './paging.ts';

/**
 * What a PENDING list does: `preparing` while its rows are copied, `failed` if they could not be; `waiting` if every row that
 * is left waits for its mail host, or if we reach no mail host at the moment. In the second case `waiting` may be empty.
 */
export const runStateSchema = z.enum(['preparing', 'running', 'paused', 'waiting', 'finishing', 'failed']);
export type RunState = z.output<typeof runStateSchema>;

/** Most mail hosts in `waiting`. */
export const LIST_WAITS_MAX = 5;

/** Rows that were deferred. */
const listWaitSchema = z.object({
  /** The mail host, or the provider where our own limit for it is the cause. */
  host: z.string(),
  cause: z.enum(['mail_host', 'our_limits']),
  /** When we ask the host again. */
  until: dateTimeSchema,
  /** How many rows wait for this host. */
  count: z.number(),
});
export type ListWait = z.output<typeof listWaitSchema>;

/** How far a list is whose rows are being copied, or why they could not be. */
const preparationSchema = z.object({
  copied_rows: z.number(),
  /** Of the file, or of the list whose unknown rows are verified again. */
  total_rows: z.number(),
  /** An error of the API; null while the rows are copied. */
  problem: z.nullable(z.object({ code: z.string(), message: z.string() })),
});

/** The fields of every list, of emails or of people. */
export const listFields = {
  id: idSchema,
  name: z.string(),
  status: z.enum(['PENDING', 'COMPLETE']),
  /** 0 to 100. */
  progress: z.number(),
  creation_date: dateTimeSchema,
  /** When the last row got its result. */
  completion_date: z.nullable(dateTimeSchema),
  /** The file that the list was made of; null for older lists. */
  file_name: z.nullable(z.string()),
  /** What the results so far cost. */
  charged_credits: z.number(),
  /** Null when the list is COMPLETE. */
  run_state: z.nullable(runStateSchema),
  /** The mail hosts that rows wait for, soonest first. */
  waiting: z.array(listWaitSchema).check(z.maxLength(LIST_WAITS_MAX)),
  /** Null once the rows of the list are there. */
  preparation: z.nullable(preparationSchema),
  /** The list whose unknown rows this list verifies again; null for others. */
  source_list_id: z.nullable(idSchema),
};

/** Which lists a call answers, and in which order; `-` in front turns the order round. */
export const listsQuerySchema = z.extend(pageQuerySchema, {
  /** A part of the name. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  sort: z._default(
    z.enum(['creation_date', '-creation_date', 'name', '-name', 'size', '-size']),
    '-creation_date',
  ),
});
export type ListsQuery = z.output<typeof listsQuerySchema>;

/** How many rows of a file are billable, duplicate or malformed. */
export const fileMetricsSchema = z.object({
  billable: z.number(),
  non_billable: z.number(),
  duplicated: z.number(),
});

/** What an export does with cells that a spreadsheet would run as formulas. */
export const formulasSchema = z.enum(['neutralised', 'raw']);

/** The kind of file of an export: `xlsx` for spreadsheets. */
export const exportFormatSchema = z.enum(['csv', 'xlsx']);
export type ExportFormat = z.output<typeof exportFormatSchema>;

/** The file of an upload. The product sends `list_raw`; `file` works too. */
export const listFileFields = {
  list_raw: z.optional(z.file('list_raw is not a file. Send it as a part with a file name.')),
  file: z.optional(z.file('file is not a file. Send it as a part with a file name.')),
};

/** The sheet of a workbook to read, or the file of a zip file. In a form, it comes before the file. */
export const sheetField = { sheet: z.optional(z.string().check(z.minLength(1), z.maxLength(255))) };

/** A column of the file to read, from 1. In a form, it comes before the file. */
export const columnField = z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_000)));

/** What a sample of a file shows without asking mail hosts. */
export const estimateFields = {
  /** The size of the sample, which was drawn from all `total` rows that can be billed. */
  sampled: z.number(),
  total: z.number(),
  /** Those whose domain takes no mail. */
  no_mail_host: z.number(),
  /** Those whose domain takes mail. Only the mail host can tell whether it has the mailbox. */
  mail_host: z.number(),
  /** Those whose domain could not be looked up in time. */
  not_looked_up: z.number(),
};

/** How a file was read, of whatever kind its list is. */
export const detectedFileFields = {
  /** `addresses`: no table, but addresses with separators between them. */
  format: z.enum(['csv', 'xlsx', 'ods', 'zip', 'addresses']),
  encoding: z.string(),
  delimiter: z.string(),
  /** The sheet of a workbook, or the file of a zip file, that was read, and all that can be read. */
  sheet: z.optional(z.string()),
  sheets: z.optional(z.array(z.string())),
};

/** The first rows of a table: at most 6 rows, 2,000 columns, and 100 characters of a cell, or 40 beyond 50 columns. */
export const firstRowsSchema = z.array(z.array(z.string()));

export const listParams = z.strictObject({ list_id: idSchema });
