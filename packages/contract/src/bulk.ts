import * as z from 'zod/mini';
import { dateTimeSchema, idSchema } from './fields.ts';

/** What every list has, whether there are emails in it or people. */
export const listFields = {
  id: idSchema,
  name: z.string(),
  status: z.enum(['PENDING', 'COMPLETE']),
  /** 0 to 100. */
  progress: z.number(),
  creation_date: dateTimeSchema,
};

/** How the rows of a file divide before anything is done with them. */
export const fileMetricsSchema = z.object({
  billable: z.number(),
  non_billable: z.number(),
  duplicated: z.number(),
});

export const listParams = z.strictObject({ list_id: idSchema });
