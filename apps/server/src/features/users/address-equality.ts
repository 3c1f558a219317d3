import { domainToASCII } from 'node:url';

// "Is it the same address?" decides which account a sign-in opens, so only case, space and composition are ignored. "Is it
// the same mailbox?" decides who had free credits, so known aliases count as one.

/** Returns the same text for two spellings of one address. */
export const normaliseAddress = (address: string): string => address.trim().normalize('NFC').toLowerCase();

/**
 * Public mail services that deliver `name+anything` to `name`. Only these: the owner of a domain can make up any number
 * of addresses, so folding tags elsewhere would stop nobody and could merge two people.
 */
const foldsTags = new Set([
  'gmail.com',
  'msn.com',
  'icloud.com',
  'fastmail.com',
  'fastmail.fm',
  'mailbox.org',
  'posteo.de',
  'proton.me',
  'yandex.ru',
  'zoho.com',
]);
/** Microsoft's have one for each country: hotmail.co.uk, outlook.de. */
const foldsTagsEverywhere = /^(outlook|hotmail|live)\.([a-z]{2,3}\.)?[a-z]{2,3}$/;
const foldsDots = new Set(['gmail.com']);
/** Domains that lead to the mailboxes of another one. */
const sameService = new Map(
  Object.entries({
    'gmail.com': ['googlemail.com'],
    'icloud.com': ['me.com', 'mac.com'],
    'proton.me': ['protonmail.com', 'protonmail.ch', 'pm.me'],
    'yandex.ru': ['yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'],
    'posteo.de': ['posteo.net', 'posteo.eu', 'posteo.org'],
  }).flatMap(([service, others]) => others.map((other) => [other, service] as const)),
);

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Returns the same text for all addresses that are known to lead to one mailbox. */
export function canonicalMailbox(address: string): string {
  const { name, domain } = mailboxOf(address);
  return `${name}@${domain}`;
}

/** The other texts under which a mailbox may be known that was first seen before its domains counted as one. */
export function formerMailboxes(address: string): string[] {
  const { name, domain } = mailboxOf(address);
  const domains = [...sameService].flatMap(([other, service]) => (service === domain ? [other] : []));
  return domains.map((other) => `${name}@${other}`);
}

function mailboxOf(address: string): { name: string; domain: string } {
  const normal = normaliseAddress(address);
  const written = domainOf(normal).replace(/\.$/, '');
  // One domain in letters of any script and in its ASCII form.
  const ascii = domainToASCII(written) || written;
  const domain = sameService.get(ascii) ?? ascii;
  let name = normal.slice(0, normal.lastIndexOf('@'));
  if (foldsTags.has(domain) || foldsTagsEverywhere.test(domain)) name = name.split('+', 1)[0] ?? '';
  if (foldsDots.has(domain)) name = name.replaceAll('.', '');
  // Yandex reads both alike.
  if (domain === 'yandex.ru') name = name.replaceAll('-', '.');
  return { name, domain };
}
