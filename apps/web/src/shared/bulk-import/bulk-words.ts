import type { PeopleField } from '@assay/contract';

/** The columns of a file that a call can choose, by the names of its fields. */
export type ColumnField = 'email_column' | `${PeopleField}_column`;

export interface ColumnRead {
  readonly field: ColumnField;
  readonly label: string;
  /** From 0; null if no column is read for this. */
  readonly column: number | null;
  /** Whether the customer may choose no column. */
  readonly isOptional?: boolean;
}

/** What the dialogs of an import say; the rest is the same whatever is imported. */
export interface BulkWords<Preview> {
  readonly importTitle: string;
  readonly importText: string;
  readonly acceptLabel: string;
  /** Where text can be pasted in place of a file. */
  readonly pasteLabel?: string;
  readonly confirmTitle: string;
  /** The message after the list was created. */
  started(listName: string): string;
  /** 'Emails to verify'. */
  readonly billable: string;
  readonly excluded: string;
  /** Why rows that are no duplicates are excluded: 'not well-formed'. */
  readonly unusable: string;
  readonly nothingToDo: string;
  /** What of it is not charged. */
  readonly notCharged: string;
  /** A file of the kind that is taken, served beside the page. */
  readonly sampleFile: string;
  /** The columns that are read, and those that could be. */
  columns(preview: Preview): readonly ColumnRead[];
  /** The columns to choose for a file in which none was found; nothing if choosing would not help. */
  readonly columnsToChoose: readonly ColumnRead[];
  /** Whether the headers box is ticked at first. It is for every table. */
  startsWithHeaders(preview: Preview, file: File): boolean;
  /** How the file was read, in a sentence. */
  detected(preview: Preview): string;
  /** What the customer should know of the file before paying for it. */
  notice?(preview: Preview): string | null;
  /** What the chosen treatment of the first row would do, where it goes against what was found in that row. */
  headerWarning(preview: Preview, withHeaders: boolean): string | null;
}
