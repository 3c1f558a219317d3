export { AppError, tooManyRequests } from './app-error.ts';
export { type ErrorCode, errorTable } from './error-table.ts';
