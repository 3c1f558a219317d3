export { addRealtime } from './realtime.ts';
