export { createMetrics, type Metrics, watchProcess } from './metrics.ts';
export { serveMetrics } from './server.ts';
