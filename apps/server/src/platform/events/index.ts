export { listenForEvents } from './listen.ts';
export { publishEvent } from './publish.ts';
