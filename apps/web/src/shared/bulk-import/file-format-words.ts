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
  readonly format: 'csv' | 'xlsx' | 'addresses';
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheet?: string | undefined;
}

/** 'Read as UTF-8, separated by commas'. */
export function fileFormatWords({ format, encoding, delimiter, sheet }: FileFormat): string {
  if (format === 'xlsx') return `Read from sheet “${sheet}”`;
  const encodingName = encodingNames[encoding] ?? encoding;
  const delimiterName = delimiterNames[delimiter] ?? `“${delimiter}”`;
  return `Read as ${encodingName}, separated by ${delimiterName}`;
}

/** 'column “Mail”', or 'column 2' where the first row names none. */
export const columnWords = (column: string, hasHeaderRow: boolean): string =>
  hasHeaderRow ? `column “${column}”` : `column ${column}`;
