import { downloadRoutes } from './downloads.ts';
import { fileRoutes } from './files.ts';
import { listRoutes } from './lists.ts';
import { resultRoutes } from './results.ts';
import { singleRoutes } from './singles.ts';

export * from './counted-emails.ts';
export * from './downloads.ts';
export * from './files.ts';
export * from './lists.ts';
export * from './result-columns.ts';
export * from './results.ts';
export { type EmailMetrics, emailMetricsSchema, SANDBOX_EMAILS_MAX } from './shared.ts';
export * from './singles.ts';

export const validationsRoutes = {
  ...singleRoutes,
  ...listRoutes,
  ...resultRoutes,
  ...fileRoutes,
  ...downloadRoutes,
};
