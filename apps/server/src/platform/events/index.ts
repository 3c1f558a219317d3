export { type EventHub, openEventHub } from './hub.ts';
export { tellListDeleted, tellListRenamed } from './list-news.ts';
export { publishEvent, publishSessionsEnded } from './publish.ts';
