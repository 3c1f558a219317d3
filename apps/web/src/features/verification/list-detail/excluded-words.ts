import type { ValidationList } from '@assay/contract';
import { exclusionWords } from '../../../shared/format/exclusion-words.ts';
import { verificationWords } from '../import/verification-words.ts';

/** What of the file was not verified, as the offer said before; nothing where that is nothing. */
export function excludedWords({ excluded_emails: excluded }: Pick<ValidationList, 'excluded_emails'>) {
  if (excluded === null) return null;
  const reasons = exclusionWords(excluded, verificationWords.unusable);
  return reasons === null ? null : `Excluded emails: ${reasons}.`;
}
