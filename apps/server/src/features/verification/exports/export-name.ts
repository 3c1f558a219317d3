import { VERDICTS, type Verdict } from '@assay/contract';
import type { ExportOrder } from './export-link.ts';

const words: Readonly<Record<Verdict, string>> = {
  VALID: 'valid',
  INVALID: 'invalid',
  CATCH_ALL: 'catch-all',
  UNKNOWN: 'unknown',
};

/** A name for an exported file that says what is inside, without its ending: 'customers - valid emails'. */
export function exportName(
  listName: string,
  { verdicts, rows }: Pick<ExportOrder, 'verdicts' | 'rows'>,
): string {
  if (rows === 'all') return `${listName} - all emails`;
  const asked = VERDICTS.filter((verdict) => verdicts.includes(verdict)).map((verdict) => words[verdict]);
  const kind = asked.length === VERDICTS.length ? 'distinct' : new Intl.ListFormat('en').format(asked);
  return `${listName} - ${kind} emails`;
}
