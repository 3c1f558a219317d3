export { createMetrics, type Metrics, showBuild, watchProcess } from './metrics.ts';
export { serveMetrics } from './server.ts';
