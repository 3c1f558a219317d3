export { type EventHub, openEventHub } from './hub.ts';
export { publishEvent, publishEvents, publishSessionsEnded, type Recipient } from './publish.ts';
