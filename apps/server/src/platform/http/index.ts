export { addOpenApi, addReference } from './docs.ts';
export { refuseUnknownRoute } from './error-handler.ts';
export { serveLinkedFiles } from './file-links.ts';
export { addHealth, type Readiness } from './health.ts';
export { limitRequests } from './rate-limits.ts';
export { registerRoute } from './route.ts';
export type { RouteList } from './route-list.ts';
export { createHttpServer } from './server.ts';
export { addWebApp } from './web-app.ts';
