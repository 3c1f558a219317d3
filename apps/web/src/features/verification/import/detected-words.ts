import type { ListPreview } from '@assay/contract';

type Detected = ListPreview['detected'];

const encodingNames: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** How the file was read, in a sentence. */
export function detectedWords({ encoding, delimiter, email_column, has_header_row }: Detected): string {
  const encodingName = encodingNames[encoding] ?? encoding;
  const delimiterName = delimiterNames[delimiter] ?? `“${delimiter}”`;
  const column = has_header_row ? `column “${email_column}”` : `column ${email_column}`;
  return `Read as ${encodingName}, separated by ${delimiterName}, emails in ${column}.`;
}

/** What the chosen treatment of the first row would do, where it goes against what was found in that row. */
export function headerWarning({ has_header_row }: Detected, withHeaders: boolean): string | null {
  if (withHeaders && !has_header_row) {
    return 'The first row holds an email, not headers. It will not be verified unless you clear the box.';
  }
  if (!withHeaders && has_header_row) return 'The first row looks like headers.';
  return null;
}
