import './lists.tables.ts';

export { registerControlRoutes } from './control-routes.ts';
export { findFirstPlace } from './first-place.ts';
export { limitRestarts } from './limit-restarts.ts';
export { exportName, exportOrderFields, partName } from './list-export.ts';
export type { ListHead, ListRow } from './list-kind.ts';
export { nameFromFile, nameOfUnknowns } from './list-name.ts';
export { type ListPlace, type OldWork, placeOf } from './list-place.ts';
export { LateProgress } from './list-progress.ts';
export { filledStatuses, workedOnStatuses } from './list-status.ts';
export {
  findWaitingRows,
  jobsOfWaiting,
  type ListWaits,
  removeWaits,
  sortOpenRows,
  sweepWaits,
} from './list-waits.store.ts';
export type { CountedList, ListLayout } from './lists.store.ts';
export { type Lists, listsOf } from './lists.ts';
