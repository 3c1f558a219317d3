export { exportName, exportOrderFields } from './list-export.ts';
export { countsOf, type ListKind, workOf } from './list-kind.ts';
export { nameFromFile } from './list-name.ts';
export { type ListPlace, placeOf } from './list-place.ts';
export {
  countOutcomes,
  LateProgress,
  publishLateProgress,
  publishProgressOrComplete,
} from './list-progress.ts';
export { type ListStatus, resultStatuses, statusesBefore, workedOnStatuses } from './list-status.ts';
export {
  deleteList,
  listFields,
  renameList,
  requireList,
  requireListOfUpload,
  settleStopped,
} from './lists.service.ts';
export { findLists, lockHoldingLists, lockList } from './lists.store.ts';
