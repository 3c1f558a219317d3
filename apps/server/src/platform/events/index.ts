export { type EventHub, openEventHub } from './hub.ts';
export { publishEvent } from './publish.ts';
