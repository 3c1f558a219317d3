export { type EventHub, openEventHub } from './hub.ts';
export { publishEvent, publishEvents, publishSessionsEnded } from './publish.ts';
