import { formulasSchema, VERDICTS } from '@assay/contract';
import * as z from 'zod/mini';

/** What a link to a verified file stands for. */
export const exportOrderSchema = z.strictObject({
  ownerId: z.uuid(),
  listId: z.uuid(),
  verdicts: z.array(z.enum(VERDICTS)),
  rows: z.enum(['distinct', 'all']),
  formulas: z._default(formulasSchema, 'neutralised'),
  expiresAt: z.number(),
});
export type ExportOrder = z.output<typeof exportOrderSchema>;
