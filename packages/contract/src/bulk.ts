import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';
import { pageQuerySchema } from './paging.ts';

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

/** The file of an upload. The product sends `list_raw`; `file` works too. */
export const listFileFields = {
  list_raw: z.optional(z.file('list_raw is not a file. Send it as a part with a file name.')),
  file: z.optional(z.file('file is not a file. Send it as a part with a file name.')),
};

export const listParams = z.strictObject({ list_id: idSchema });
