import './activity.tables.ts';

export { activityHandlers } from './activity.jobs.ts';
export { exportActivities, listActivities, registerActivityRoutes } from './activity.routes.ts';
export { closeActivities, eraseActivities, forgetListNames } from './activity.store.ts';
export { type ActivityNews, findActivityNews, takeActivityNews } from './activity-news.store.ts';
export { type Actor, recordActivity } from './record-activity.store.ts';
export { type BrokenEntry, verifyActivities } from './verify-chains.ts';
