import './uploads.tables.ts';

export { type IncomingFile, openIncoming, type SheetChoice } from './incoming-file.ts';
export { estimateInTurn, estimateSampleSize } from './limit-estimates.ts';
export { limitUploads } from './limit-uploads.ts';
export {
  addedColumns,
  cleanRows,
  ForeignResult,
  findOwnColumns,
  findOwnGuessColumns,
  guessedColumn,
  noEmail,
  notGuessed,
  restoreFormulas,
  resultColumns,
  withoutColumns,
} from './own-columns.ts';
export { previewMetrics } from './preview-metrics.ts';
export { previewRows } from './preview-rows.ts';
export { type FileTaking, readFileForm } from './read-upload.ts';
export { RefusedFile, refuseFile } from './refused-file.ts';
export { readStoredText, readWholeText, type StoredFile } from './stored-file.ts';
export { removeStrayFiles, sweepUploads } from './sweep-uploads.ts';
export {
  changeReading,
  claimUpload,
  findUpload,
  keptMs,
  removeFilesOf,
  removeUpload,
  type TakenUpload,
  takeUpload,
  type Upload,
  type UploadParts,
  uploadsFolder,
} from './uploads.ts';
