import pg from 'pg';

/** Whether the database refused a row because its key is taken. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505';
