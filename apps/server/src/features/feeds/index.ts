import './feeds.tables.ts';

export { feedsHandlers } from './feeds.handlers.ts';
export { registerFeedsRoutes } from './feeds.routes.ts';
export { describeFeeds } from './feeds.service.ts';
export { feedSecrets } from './feeds.store.ts';
export { openSns } from './sns/check-message.ts';
