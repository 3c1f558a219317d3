import './outcomes.tables.ts';

export { exportOutcomes } from './export-outcomes.ts';
export { deleteOldOutcomes } from './old-outcomes.ts';
export { registerOutcomesRoutes } from './outcomes.routes.ts';
