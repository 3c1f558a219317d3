import './feeds.tables.ts';

export { feedSecrets } from './feed-secret.ts';
export { feedsHandlers } from './feeds.handlers.ts';
export { registerFeedsRoutes } from './feeds.routes.ts';
export { describeFeeds } from './feeds.service.ts';
export { openSns } from './sns/check-message.ts';
