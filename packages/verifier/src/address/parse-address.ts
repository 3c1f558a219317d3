import { domainToASCII } from 'node:url';
import type { Reason } from '../judgement/reasons.ts';

/** An address whose every byte has been checked: only this may reach a command line of SMTP. */
export interface ParsedAddress {
  ok: true;
  /** As it was given, without surrounding space. */
  email: string;
  /** What RCPT is sent: the local part as given and the domain in A-labels. */
  mailbox: string;
  local: string;
  /** Lower case, A-labels. */
  domain: string;
  /** The local part needs SMTPUTF8 (RFC 6531). */
  needsUtf8: boolean;
}

export interface RefusedAddress {
  ok: false;
  email: string;
  reason: Extract<Reason, `syntax_${string}`>;
}

// RFC 5321 §4.5.3.1 and erratum 1690 of RFC 3696: the forward-path's 256 octets hold two angle brackets.
const localOctetsMax = 64;
const addressOctetsMax = 254;
const domainOctetsMax = 253;

const atomCharacters = "-A-Za-z0-9!#$%&'*+/=?^_`{|}~";
const beyondAscii = '\\u0080-\\u{10ffff}';
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

// In each of these patterns a part starts with a character that the part before it cannot hold, so a match takes one
// pass and a hostile input cannot make it wander. Nearly every address is of the first shape.
const plainAddress = new RegExp(
  `^[${atomCharacters}]+(?:\\.[${atomCharacters}]+)*@${label}(?:\\.${label})*$`,
);
const dotAtoms = new RegExp(
  `^[${atomCharacters}${beyondAscii}]+(?:\\.[${atomCharacters}${beyondAscii}]+)*$`,
  'u',
);
// Quoted-string of RFC 5321 §4.1.2: printable ASCII, with quote and backslash escaped; RFC 6531 adds the rest.
const quotedString = new RegExp(`^"(?:[ !#-[\\]-~${beyondAscii}]|\\\\[ -~])*"$`, 'u');
const asciiDomain = new RegExp(`^${label}(?:\\.${label})*$`);
const nonAscii = new RegExp(`[${beyondAscii}]`, 'u');
const endsInDigits = /(?:^|\.)[0-9]+$/;
const hasLabelBeyond63 = /[^.]{64}/;
const surroundingSpace = ' \t\u00a0\u3000\ufeff';
// Control characters, line separators, zero-width characters and what turns the direction of text around: none of them
// is visible, so an address that holds one is never what its owner typed.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
// \p{Cs} is half a surrogate pair, \p{Cn} a code point that means nothing yet, \p{Z} any kind of space.
const unfitForName = /[\p{Cs}\p{Cn}\p{Co}\p{Z}]/u;

/**
 * Reads one mailbox address by RFC 5321 and 6531, as mail hosts take it today: quoted local parts are fine,
 * comments, folding space, IP literals and the obsolete forms of RFC 5322 are not. Space around is ignored.
 */
export function parseAddress(input: string): ParsedAddress | RefusedAddress {
  if (plainAddress.test(input)) {
    const at = input.indexOf('@');
    return checkLimits(input, input.slice(0, at), input.slice(at + 1), false);
  }
  return parseUnusualAddress(withoutSurroundingSpace(input));
}

function withoutSurroundingSpace(text: string): string {
  const isSpace = (index: number) => surroundingSpace.includes(text[index] ?? 'x');
  let start = 0;
  let end = text.length;
  while (isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

function parseUnusualAddress(email: string): ParsedAddress | RefusedAddress {
  if (invisible.test(email)) return refuse(email, 'syntax_control_character');

  const at = endOfLocalPart(email);
  const local = at < 0 ? email : email.slice(0, at);
  const domain = at < 0 ? '' : email.slice(at + 1);
  if (hasComment(local, domain)) return refuse(email, 'syntax_comment');
  if (local === '' || domain === '') return refuse(email, 'syntax_missing_part');
  if (domain.startsWith('[')) return refuse(email, 'syntax_ip_literal');
  if (Buffer.byteLength(local) > localOctetsMax) return refuse(email, 'syntax_too_long');
  if (unfitForName.test(withoutQuotedSpace(local))) return refuse(email, 'syntax_local_part');
  if (!dotAtoms.test(local) && !quotedString.test(local)) return refuse(email, 'syntax_local_part');

  const ascii = toAsciiDomain(domain);
  if (ascii === undefined) {
    return refuse(email, hasLabelBeyond63.test(domain) ? 'syntax_too_long' : 'syntax_domain');
  }
  return checkLimits(email, local, ascii, nonAscii.test(local));
}

/** The @ that ends the local part: the first one outside quotes, so that `"a@b"@example.com` is read right. */
function endOfLocalPart(email: string): number {
  if (!email.startsWith('"')) return email.indexOf('@');
  for (let index = 1; index < email.length; index++) {
    const character = email[index];
    if (character === '\\') index++;
    else if (character === '"') return email.indexOf('@', index);
  }
  return email.lastIndexOf('@');
}

const hasComment = (local: string, domain: string): boolean =>
  (!local.startsWith('"') && local.includes('(')) || (!domain.startsWith('[') && domain.includes('('));

const withoutQuotedSpace = (local: string): string =>
  local.startsWith('"') ? local.replaceAll(' ', '') : local;

/** The domain in A-labels, or undefined when it is no host name. */
function toAsciiDomain(domain: string): string | undefined {
  if (!nonAscii.test(domain)) return asciiDomain.test(domain) ? domain : undefined;
  // domainToASCII would decode %41 and drop a port: let only host characters and non-ASCII letters reach it.
  if (/[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u.test(domain) || unfitForName.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  return asciiDomain.test(ascii) ? ascii : undefined;
}

function checkLimits(
  email: string,
  local: string,
  domainAsGiven: string,
  needsUtf8: boolean,
): ParsedAddress | RefusedAddress {
  const domain = domainAsGiven.toLowerCase();
  // Only a local part outside ASCII counts more octets than characters.
  const localOctets = needsUtf8 ? Buffer.byteLength(local) : local.length;
  if (localOctets > localOctetsMax || domain.length > domainOctetsMax)
    return refuse(email, 'syntax_too_long');
  if (localOctets + 1 + domain.length > addressOctetsMax) return refuse(email, 'syntax_too_long');
  // RFC 3696 §2: no top-level domain is all digits, so this is an IP address without its brackets or a slip.
  if (isDigit(domain.charCodeAt(domain.length - 1)) && endsInDigits.test(domain))
    return refuse(email, 'syntax_domain');
  // Most addresses are written as they are sent; a string less for each. The length counts too: domainToASCII drops
  // characters before a domain, such as a soft hyphen, and others that are line breaks in Latin-1.
  const isAsSent = email.length === local.length + 1 + domain.length && email.endsWith(domain);
  const mailbox = domain === domainAsGiven && isAsSent ? email : `${local}@${domain}`;
  return { ok: true, email, mailbox, local, domain, needsUtf8 };
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const refuse = (email: string, reason: RefusedAddress['reason']): RefusedAddress => ({
  ok: false,
  email,
  reason,
});
