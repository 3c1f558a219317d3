import * as z from 'zod/mini';

// The pattern that most forms use, wide enough for every address that mail hosts take: quoted names, and names and domains
// in any script. Whether the domain and the mailbox exist is what the check is for.
const localPart = String.raw`(?:[^<>()[\]\\.,;:\s@"]+(?:\.[^<>()[\]\\.,;:\s@"]+)*|"[^"\r\n]+")`;
const domain = String.raw`(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]{2,}`;
const emailPattern = new RegExp(`^${localPart}@${domain}$`, 'u');

export const EMAIL_NOT_VALID_TEXT = 'Enter a valid email';

export const emailAddressSchema = z
  .string()
  .check(z.trim(), z.maxLength(254, EMAIL_NOT_VALID_TEXT), z.regex(emailPattern, EMAIL_NOT_VALID_TEXT));
