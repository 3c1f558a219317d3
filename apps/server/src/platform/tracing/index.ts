export { startTracing } from './start-tracing.ts';
export { traceRequests } from './trace-requests.ts';
export { followTrace, isTraced, linkToTrace, recordSteps, type TraceLink } from './tracing.ts';
