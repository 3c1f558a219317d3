import { type Reason, reasons } from '@assay/verifier';

/** The reason of rows that a customer's early finish left unchecked. */
export const notChecked = 'not_checked' satisfies Reason;

/** The reason of addresses that their customer does not want to ask. */
export const suppressed = 'suppressed' satisfies Reason;

/** A stored reason with its sentence. A reason that this version does not know shows its code. */
export function reasonAnswer(code: string): { code: string; text: string };
export function reasonAnswer(code: string | null): { code: string; text: string } | null;
export function reasonAnswer(code: string | null): { code: string; text: string } | null {
  if (code === null) return null;
  return { code, text: reasons[code as Reason]?.meaning ?? code };
}
