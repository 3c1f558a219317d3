// The pattern that most forms use, wide enough for every address that mail hosts take: quoted names, and names and domains
// in any script. Whether the domain and the mailbox exist is what the check is for.
const localPart = String.raw`(?:[^<>()[\]\\.,;:\s@"]+(?:\.[^<>()[\]\\.,;:\s@"]+)*|"[^"\r\n]+")`;
const domain = String.raw`(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]{2,}`;
const emailPattern = new RegExp(`^${localPart}@${domain}$`, 'u');

export const EMAIL_NOT_VALID_TEXT = 'Enter a valid email';

/** The trimmed address, or undefined if the text cannot be one. */
export function readEmailAddress(text: string): string | undefined {
  const address = text.trim();
  return address.length <= 254 && emailPattern.test(address) ? address : undefined;
}
