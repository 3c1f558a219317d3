import './uploads.tables.ts';

export type { FileRow } from './csv/classify-rows.ts';
export { addressesPerCellMax, isBlankCell } from './csv/messy-cell.ts';
export {
  addedColumns,
  ForeignResult,
  findOwnGuessColumns,
  guessedColumn,
  noEmail,
  notGuessed,
  restoreFormulas,
  withoutColumns,
} from './csv/own-columns.ts';
export { RefusedFile, readStoredRows } from './csv/preview-file.ts';
export { limitUploads } from './limit-uploads.ts';
export { readCreation, readPreviewFile, takingUpload } from './read-upload.ts';
export { refuseFile } from './refused-file.ts';
export { takeEmails } from './take-emails.ts';
export { findAbandonedRoom, releaseRoom } from './upload-room.ts';
export { previewAnswer, removeUpload, type Upload, type UploadParts, uploadKey } from './uploads.ts';
