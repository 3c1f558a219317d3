/** A text as part of a pattern for LIKE that matches exactly this text. */
export const escapePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
