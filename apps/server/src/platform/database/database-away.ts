/** Classes and codes of SQLSTATE: broken connections, too many of them, a server that starts, stops or only reads. */
const sqlStates = /^(?:08...|53300|57P0[1-5]|25006|55000)$/;
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Errors of pg and its pool, which carry no code. */
const words =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/;

/** Whether a statement failed because the database cannot be reached or does not take work now. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Errors of the object store have the codes of the system too.
  if ('$metadata' in error) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return sqlStates.test(code) || systemCodes.has(code);
  return words.test(error.message) || isDatabaseAway(error.cause);
}
