import type { ListPreview } from '@assay/contract';

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

interface FileFormat {
  readonly format: ListPreview['detected']['format'];
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheet?: string | undefined;
}

/** A zip file has files, and a workbook has sheets. */
export const sheetWord = (format: string | undefined): 'file' | 'sheet' =>
  format === 'zip' ? 'file' : 'sheet';

/** 'Read as UTF-8, separated by commas'. */
export function fileFormatWords({ format, encoding, delimiter, sheet }: FileFormat): string {
  if (sheet !== undefined) return `Read from ${sheetWord(format)} “${sheet}”`;
  const encodingName = encodingNames[encoding] ?? encoding;
  const delimiterName = delimiterNames[delimiter] ?? `“${delimiter}”`;
  return `Read as ${encodingName}, separated by ${delimiterName}`;
}

/** 'column “Mail”', or 'column 2' where the first row names none. */
export const columnWords = (column: string, hasHeaderRow: boolean): string =>
  hasHeaderRow ? `column “${column}”` : `column ${column}`;
