import './uploads.tables.ts';

export { type IncomingFile, type OpenedFile, openIncoming } from './incoming-file.ts';
export { estimateInTurn, estimateSampleSize } from './limit-estimates.ts';
export { limitUploads } from './limit-uploads.ts';
export {
  addedColumns,
  guessedColumn,
  noEmail,
  notGuessed,
  outcomeColumn,
  resultColumns,
} from './own-columns.ts';
export { type FileTaking, readFileForm } from './read-upload.ts';
export { refuseFile } from './refused-file.ts';
export { type ExclusionsOrder, exclusionsName, serveExclusions } from './serve-exclusions.ts';
export { inOrder, readWhole, readWholeFile } from './stored-file.ts';
export { removeStrayFiles, sweepUploads } from './sweep-uploads.ts';
export {
  claimPricedUpload,
  claimUpload,
  findUncountedOfList,
  findUpload,
  findUploadOfList,
  keepUpload,
  replaceUpload,
  type UncountedUpload,
  type Upload,
} from './uploads.store.ts';
export {
  type CountOrder,
  countAgain,
  discardStored,
  removeFilesOf,
  removeUpload,
  storeUncounted,
  storeUpload,
  type TakenUpload,
  takeUpload,
  type UploadParts,
  uploadedFile,
  uploadsFolder,
} from './uploads.ts';
