const codes = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Whether a file could not be written because there is no room for it. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && codes.has((error as NodeJS.ErrnoException).code ?? '');
