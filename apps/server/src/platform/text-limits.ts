/**
 * The longest text of each kind that is logged or told back. Callers and foreign servers choose such texts, so each is
 * cut to its limit before a regular expression, the log or an answer gets it.
 */
export const TEXT_LENGTH_MAX = {
  fieldName: 100,
  errorMessage: 1_000,
  stack: 8_000,
  logValue: 1_000,
} as const;

export const shorten = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;
