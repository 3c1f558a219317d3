// What jobs on reading threads need of uploads: nothing here loads the database.
export {
  cleanRows,
  ForeignResult,
  findOwnColumns,
  findOwnGuessColumns,
  restoreFormulas,
  withoutColumns,
} from './own-columns.ts';
export { previewMetrics } from './preview-metrics.ts';
export { previewRows } from './preview-rows.ts';
export { readText, type SheetChoice, sheetFields, type TextSource } from './read-text.ts';
export { RefusedFile, type RowsToChooseFrom, refuseFile } from './refused-file.ts';
export { encodingOf } from './require-text.ts';
