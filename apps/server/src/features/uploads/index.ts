import './uploads.tables.ts';

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
  withoutColumns,
} from './own-columns.ts';
export { previewMetrics } from './preview-metrics.ts';
export { type FileTaking, readFileForm, readPreviewFile } from './read-upload.ts';
export { RefusedFile, refuseFile } from './refused-file.ts';
export { type CountText, readStoredText, readWholeText, type StoredFile } from './stored-file.ts';
export { sweepUploads } from './sweep-uploads.ts';
export {
  claimUpload,
  findUpload,
  type IncomingFile,
  keptMs,
  removeFilesOf,
  removeUpload,
  type TakenUpload,
  takeUpload,
  type Upload,
  type UploadParts,
} from './uploads.ts';
