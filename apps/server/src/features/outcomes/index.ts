import './outcomes.tables.ts';

export { exportOutcomes } from './export-outcomes.ts';
export type { CheckFinder } from './match-outcomes.ts';
export type { FoundCheck } from './newest-before.ts';
export { deleteOldOutcomes } from './old-outcomes.ts';
export { outcomesBeside } from './outcome-words.ts';
export { outcomesHandlers } from './outcomes.handlers.ts';
export { registerOutcomesRoutes } from './outcomes.routes.ts';
export {
  findOutcomesOf,
  findOutcomesOfSingles,
  forgetChecks,
} from './outcomes-of-checks.ts';
export { recordOutcomes } from './record-outcomes.ts';
