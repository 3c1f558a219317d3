import pg from 'pg';

/** Whether a statement gave up waiting for a lock, because of `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';
