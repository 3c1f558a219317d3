import { VERDICTS, type Verdict } from '@assay/contract';
import * as z from 'zod/mini';
import { exportName, exportOrderFields } from '../../lists/index.ts';

/** The order that a link to a verified file carries. */
export const exportOrderSchema = z.strictObject({
  ...exportOrderFields,
  verdicts: z.array(z.enum(VERDICTS)),
  safe: z._default(z.boolean(), false),
});
export type ExportOrder = z.output<typeof exportOrderSchema>;

/** What a link that can be revoked gives. */
export const storedExportSchema = z.omit(exportOrderSchema, { ownerId: true, listId: true, expiresAt: true });
export type StoredExport = z.output<typeof storedExportSchema>;

const verdictWords: Readonly<Record<Verdict, string>> = {
  VALID: 'valid',
  INVALID: 'invalid',
  CATCH_ALL: 'catch-all',
  UNKNOWN: 'unknown',
};

export const emailExportName = (
  listName: string,
  { verdicts, rows, safe }: Pick<ExportOrder, 'verdicts' | 'rows' | 'safe'>,
): string =>
  safe
    ? `${listName} - safe to send`
    : exportName(
        listName,
        { chosen: verdicts, rows },
        { rows: 'emails', outcomes: verdictWords, chosenRows: (verdictText) => `${verdictText} emails` },
      );
