import './uploads.tables.ts';

export { type IncomingFile, openIncoming } from './incoming-file.ts';
export { estimateInTurn, estimateSampleSize } from './limit-estimates.ts';
export { limitUploads } from './limit-uploads.ts';
export {
  addedColumns,
  guessedColumn,
  noEmail,
  notGuessed,
  resultColumns,
} from './own-columns.ts';
export { type FileTaking, readFileForm } from './read-upload.ts';
export { refuseFile } from './refused-file.ts';
export { type ExclusionsOrder, exclusionsName, serveExclusions } from './serve-exclusions.ts';
export { inOrder, readWholeFile } from './stored-file.ts';
export { removeStrayFiles, sweepUploads } from './sweep-uploads.ts';
export {
  type CountOrder,
  changeReading,
  claimPricedUpload,
  claimUpload,
  discardStored,
  findUncountedOfList,
  findUpload,
  findUploadOfList,
  keepUpload,
  keptMs,
  removeFilesOf,
  removeUpload,
  replaceUpload,
  storeUncounted,
  storeUpload,
  type TakenUpload,
  takeUpload,
  type UncountedUpload,
  type Upload,
  type UploadParts,
  uploadsFolder,
} from './uploads.ts';
