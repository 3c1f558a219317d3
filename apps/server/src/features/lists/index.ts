export { nameFromFile } from './list-name.ts';
export type { ListPlace } from './list-place.ts';
export { progressOf } from './list-progress.ts';
