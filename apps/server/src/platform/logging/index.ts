export { createLogger, flushLog, type Logger } from './logger.ts';
