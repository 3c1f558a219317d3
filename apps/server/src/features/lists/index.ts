export { exportName, exportOrderFields } from './list-export.ts';
export { nameFromFile } from './list-name.ts';
export { type ListPlace, placeOf } from './list-place.ts';
export { LateProgress } from './list-progress.ts';
export { type ListStatus, statusesBefore, workedOnStatuses } from './list-status.ts';
export { Lists } from './lists.service.ts';
