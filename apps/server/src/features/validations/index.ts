import './validations.tables.ts';

export {
  addedColumns,
  findOwnGuessColumns,
  guessedColumn,
  notGuessed,
  restoreFormulas,
  withoutColumns,
} from './csv/own-columns.ts';
export { RefusedFile } from './csv/preview-file.ts';
export { removeRemainsOf, settleWorkOf } from './customer-removal.ts';
export { answerOnce, type IdempotentCall, readIdempotentCall } from './idempotency.ts';
export { nameFromFile } from './lists/list-name.ts';
export { progressOf } from './lists/list-progress.ts';
export { openSharedPermits } from './permits/shared-permits.ts';
export { reasonAnswer } from './reason-words.ts';
export { limitUploads } from './uploads/limit-uploads.ts';
export { readPreviewFile } from './uploads/read-upload.ts';
export { refuseFile } from './uploads/refused-file.ts';
export { bulkHandlers, sandboxHandlers, validationsHandlers } from './validations.handlers.ts';
export { registerValidationsRoutes } from './validations.routes.ts';
export type { StoredDetail } from './validations.tables.ts';
export { findingOf } from './verification/finding.ts';
export { hasPatience, laterJobs } from './verification/patience.ts';
export { createSharedFacts } from './verification/shared-facts.ts';
