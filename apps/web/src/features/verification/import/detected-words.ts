import type { ListPreview } from '@assay/contract';
import { columnWords, fileFormatWords } from '../../../shared/bulk-import/file-format-words.ts';
import { formatCredits } from '../../../shared/format/counts.ts';

type Detected = ListPreview['detected'];

/** How the file was read, in a sentence or two. */
export function detectedWords(detected: Detected): string {
  if (detected.format === 'addresses') return 'Read as a list of emails.';
  const column = columnWords(detected.email_column, detected.has_header_row);
  return `${fileFormatWords(detected)}, emails in ${column}.${skippedWords(detected)}`;
}

function skippedWords({ skipped_rows: count }: Detected): string {
  if (count === 0) return '';
  return count === 1
    ? ' The row above the table is left out.'
    : ` The ${count} rows above the table are left out.`;
}

/** Which column is read where several hold emails; nothing where only one does. */
export function otherColumnsWords(detected: Detected): string | null {
  const { email_columns: names, email_column: read, has_header_row: hasHeaderRow } = detected;
  if (names.length < 2) return null;
  const columns = new Intl.ListFormat('en').format(names.map((name) => columnWords(name, hasHeaderRow)));
  return `Emails are in ${columns}. Only those in ${columnWords(read, hasHeaderRow)} are verified.`;
}

/** Which rows have a broken quote; nothing where none has. */
export function brokenQuotesWords({ broken_quotes: { rows, first } }: Detected): string | null {
  if (rows === 0) return null;
  const named = new Intl.ListFormat('en').format(first.map(String));
  const more = rows > first.length ? `, and ${formatCredits(rows - first.length)} more` : '';
  return rows === 1
    ? `A quote is broken in row ${named}. We read it as text: check that row.`
    : `Quotes are broken in rows ${named}${more}. We read them as text: check those rows.`;
}

/** What the chosen treatment of the first row would do, where it goes against what was found in that row. */
export function headerWarning({ has_header_row }: Detected, withHeaders: boolean): string | null {
  if (withHeaders && !has_header_row) {
    return 'The first row holds an email, not headers. It will not be verified unless you clear the box.';
  }
  if (!withHeaders && has_header_row) return 'The first row looks like headers.';
  return null;
}
