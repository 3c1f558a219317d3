import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';

/** The fields of every list, of emails or of people. */
export const listFields = {
  id: idSchema,
  name: z.string(),
  status: z.enum(['PENDING', 'COMPLETE']),
  /** 0 to 100. */
  progress: z.number(),
  creation_date: dateTimeSchema,
};

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
