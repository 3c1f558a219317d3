import { createHash } from 'node:crypto';

/** What tells two calls with the same key apart. */
export const hashContents = (contents: unknown): string =>
  createHash('sha256').update(JSON.stringify(contents)).digest('hex');
