import type { ListPreview } from '@assay/contract';
import { columnWords, fileFormatWords } from '../../../shared/bulk-import/file-format-words.ts';

type Detected = ListPreview['detected'];

/** How the file was read, in a sentence. */
export const detectedWords = (detected: Detected): string =>
  `${fileFormatWords(detected)}, emails in ${columnWords(detected.email_column, detected.has_header_row)}.`;

/** What the chosen treatment of the first row would do, where it goes against what was found in that row. */
export function headerWarning({ has_header_row }: Detected, withHeaders: boolean): string | null {
  if (withHeaders && !has_header_row) {
    return 'The first row holds an email, not headers. It will not be verified unless you clear the box.';
  }
  if (!withHeaders && has_header_row) return 'The first row looks like headers.';
  return null;
}
