/** The first bytes of every zip file. */
export const zipSignature = Buffer.from('504b0304', 'hex');

/** A table of a workbook, or a text file of a zip file. */
export interface Sheet {
  read(): AsyncGenerator<string>;
  /** We write tables as CSV with commas and double quotes. A text file stays as it is. */
  readonly isText: boolean;
}

export interface Workbook {
  /** `zip` is a zip file with tables and workbooks inside. */
  readonly format: 'xlsx' | 'ods' | 'zip';
  /** Those that people see, by their names and in their order; never empty. */
  readonly sheets: ReadonlyMap<string, Sheet>;
}
