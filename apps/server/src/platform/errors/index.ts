export { AppError, type AppErrorOptions } from './app-error.ts';
export { type ErrorCode, errorTable } from './error-table.ts';
