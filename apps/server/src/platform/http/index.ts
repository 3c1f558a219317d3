export { type Call, type Handler, registerRoute } from './route.ts';
