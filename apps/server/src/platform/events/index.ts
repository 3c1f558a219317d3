export { type EventHub, openEventHub } from './hub.ts';
export { publishEvent, publishSessionsEnded } from './publish.ts';
