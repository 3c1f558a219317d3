import pg from 'pg';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof pg.DatabaseError && error.code === code;

/** Whether a statement gave up waiting for a lock, because of `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, '55P03');

/** Whether PostgreSQL ended a transaction because it and another one waited for each other. */
export const isDeadlock = (error: unknown): boolean => hasCode(error, '40P01');
