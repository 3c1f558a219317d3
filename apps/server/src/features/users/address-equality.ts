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
  'outlook.com',
  'hotmail.com',
  'live.com',
  'msn.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'fastmail.com',
  'fastmail.fm',
  'proton.me',
  'protonmail.com',
  'pm.me',
  'yandex.com',
  'yandex.ru',
  'zoho.com',
]);
const foldsDots = new Set(['gmail.com']);
const sameService = new Map([
  ['googlemail.com', 'gmail.com'],
  ['protonmail.com', 'proton.me'],
  ['pm.me', 'proton.me'],
]);

/** Returns the same text for all addresses that are known to lead to one mailbox. */
export function canonicalMailbox(address: string): string {
  const normal = normaliseAddress(address);
  const at = normal.lastIndexOf('@');
  const domain = sameService.get(normal.slice(at + 1)) ?? normal.slice(at + 1);
  let name = normal.slice(0, at);
  if (foldsTags.has(domain)) name = name.split('+', 1)[0] ?? '';
  if (foldsDots.has(domain)) name = name.replaceAll('.', '');
  return `${name}@${domain}`;
}
