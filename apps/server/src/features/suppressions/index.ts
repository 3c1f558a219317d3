import './suppressions.tables.ts';

export { exportSuppressions } from './export-suppressions.ts';
export { suppressByOutcomes } from './suppress-by-outcomes.ts';
export { suppressionsHandlers } from './suppressions.jobs.ts';
export { registerSuppressionsRoutes } from './suppressions.routes.ts';
export { repeatRemoval } from './suppressions.service.ts';
export {
  findClock as findChangeClock,
  findSuppressed,
  findTargetsAfter,
  isSuppressed,
  startNewGeneration,
} from './suppressions.store.ts';
