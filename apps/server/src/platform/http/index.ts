export { addDocs, addOpenApi } from './docs.ts';
export { refuseUnknownRoute } from './error-handler.ts';
export { addHealth, type Readiness } from './health.ts';
export { limitRequests } from './rate-limits.ts';
export { type Call, type Handler, registerRoute } from './route.ts';
export type { RouteList } from './route-list.ts';
export { createHttpServer } from './server.ts';
export { addWebApp, type WebAppOptions } from './web-app.ts';
