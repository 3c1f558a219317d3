export { type EventListener, listenForEvents } from './listen.ts';
export { publishEvent } from './publish.ts';
