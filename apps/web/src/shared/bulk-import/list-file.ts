const CSV_TYPE = 'text/csv';
/** Workbooks, and zip files with any of these files. */
const packedTypes: Readonly<Record<string, string>> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.zip': 'application/zip',
};
const types = [CSV_TYPE, 'text/tab-separated-values', 'text/plain', ...Object.values(packedTypes)];
export const LIST_FILE_ENDINGS = ['.csv', '.tsv', '.txt', ...Object.keys(packedTypes)];

/** More files at once are surely a mistake. */
export const FILES_MAX = 20;

/**
 * Whether a chosen file passes for a table or a text. Its type is what the customer's system makes of its ending: where a
 * spreadsheet program has claimed .csv it is that program's type, and on some systems there is none. So the ending
 * counts as well. What is inside, the server looks at.
 */
export const isListFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  types.includes(type) || LIST_FILE_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));

/** Files of several folders may share their name. */
export const fileKey = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`;

/** False once the file was changed, moved or deleted on the disk after it was chosen. Browsers do not send it then. */
export const isStillReadable = (file: Blob): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Texts travel as text/csv, workbooks and zip files as what they are. The contents are not copied. */
export function asSentFile(file: File): File {
  const type = packedTypeOf(file) ?? CSV_TYPE;
  return file.type === type ? file : new File([file], file.name, { type, lastModified: file.lastModified });
}

const packedTypeOf = ({ name, type }: File): string | undefined =>
  Object.entries(packedTypes).find(
    ([ending, packed]) => type === packed || name.toLowerCase().endsWith(ending),
  )?.[1];

/** What the file dialog of the browser offers. */
export const LIST_FILE_ACCEPT = [...LIST_FILE_ENDINGS, ...types].join(',');

const PASTED_NAME = 'Pasted emails.txt';

export const isPasted = ({ name }: Pick<File, 'name'>): boolean => name === PASTED_NAME;

/** Pasted addresses as the file that becomes the list 'Pasted emails'. */
export const pastedFile = (text: string): File => new File([text], PASTED_NAME, { type: 'text/plain' });
