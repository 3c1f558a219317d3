import { ADDRESS_FLAGS, RESULT_COLUMNS, VERDICTS, type Verdict } from '@assay/contract';
import * as z from 'zod/mini';
import { exportName, exportOrderFields } from '../../lists/index.ts';

/** The order that a link to a verified file carries. */
export const exportOrderSchema = z.strictObject({
  ...exportOrderFields,
  verdicts: z.array(z.enum(VERDICTS)),
  search: z.optional(z.string()),
  reasons: z.optional(z.array(z.string())),
  flags: z.optional(z.array(z.enum(ADDRESS_FLAGS))),
  mxProviders: z.optional(z.array(z.string())),
  /** The customer's columns, from 1; all unless given. */
  columns: z.optional(z.array(z.number())),
  resultColumns: z.optional(z.array(z.enum(RESULT_COLUMNS))),
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
  order: Omit<StoredExport, 'formulas' | 'format'>,
): string => {
  const { verdicts, rows, safe, search, reasons, flags, mxProviders } = order;
  if (safe) return `${listName} - safe to send`;
  if ([search, reasons, flags, mxProviders].some((filter) => filter !== undefined))
    return `${listName} - filtered emails`;
  return exportName(
    listName,
    { chosen: verdicts, rows },
    { rows: 'emails', outcomes: verdictWords, chosenRows: (verdictText) => `${verdictText} emails` },
  );
};
