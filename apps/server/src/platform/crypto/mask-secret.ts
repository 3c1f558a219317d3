/** Enough to recognise a secret by: how it begins, which all of its kind share, and its last four characters. */
export const maskSecret = (secret: string, prefix: string): string => `${prefix}…${secret.slice(-4)}`;
