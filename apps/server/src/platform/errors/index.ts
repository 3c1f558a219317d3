export { AppError, tooManyRequests } from './app-error.ts';
export type { ErrorCode } from './error-table.ts';
