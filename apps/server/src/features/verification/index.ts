import './verification.tables.ts';

export { createCheckFinder } from './checked/find-checks.ts';
export { removeRemainsOf, settleWorkOf } from './customer-removal.ts';
export { verificationsOf } from './exports/customer-data.ts';
export { emailLists } from './lists/email-lists.ts';
export { countPieces, findByAddressHash } from './rows/operator-searches.store.ts';
export { findVolumes, sampleRows, type Volume } from './rows/volumes.store.ts';
export { deleteOldSingles, deleteSingle } from './singles/delete-single.ts';
export { countOldSingles } from './singles/singles.store.ts';
export { bulkHandlers, bulkJobs, sandboxHandlers, validationsHandlers } from './verification.handlers.ts';
export { verifyLongListJob, verifyShortListJob, verifySingleJob } from './verification.jobs.ts';
export { registerValidationsRoutes } from './verification.routes.ts';
