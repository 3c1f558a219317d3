const CSV_TYPE = 'text/csv';

/**
 * Whether a chosen file passes for a CSV file. Its type is what the customer's system makes of its ending: where a
 * spreadsheet program has claimed .csv it is that program's type, and on some systems there is none. So the ending
 * counts as well. What is inside, the server looks at.
 */
export const isCsvFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type === CSV_TYPE || name.toLowerCase().endsWith('.csv');

/** Only files of type text/csv travel. The contents are not copied. */
export const asCsvFile = (file: File): File =>
  file.type === CSV_TYPE
    ? file
    : new File([file], file.name, { type: CSV_TYPE, lastModified: file.lastModified });

/** What the file dialog of the browser offers. */
export const CSV_ACCEPT = `.csv,${CSV_TYPE}`;
