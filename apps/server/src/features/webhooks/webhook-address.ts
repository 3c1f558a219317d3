import { isIP } from 'node:net';
import { createDialGuard } from '@assay/verifier';
import { isBadPort } from './bad-ports.ts';

/** Why events cannot go to this address, in words for whoever gave it; null when they can, as far as the text tells. */
export function whyRefused(url: URL, allowRanges: readonly string[]): string | null {
  const isHttps = url.protocol === 'https:';
  const host = bareHost(url);
  if (url.username || url.password) return 'Leave user name and password out of the address.';
  if (isBadPort(portOf(url))) return badPortText(portOf(url));
  const isLocalName = host === 'localhost' || host.endsWith('.localhost');
  const isNamedHere = isLocalName && allowRanges.length > 0;
  if (isLocalName && !isNamedHere) return privateText;
  if (isIP(host) && !mayDial(host, url, allowRanges)) return isHttps ? privateText : httpsText;
  if (isHttps || (url.protocol === 'http:' && (isIP(host) || isNamedHere))) return null;
  return httpsText;
}

const httpsText = 'Give an address that begins with https://.';
const badPortText = (port: number): string =>
  `Give an address with another port: port ${port} is not one of a web server.`;
const privateText = 'Give an address on the internet: events are never sent to private networks.';

/**
 * Whether this network address may be dialled for the URL. Asked at the moment of dialling, with what will be dialled: a
 * name may lead somewhere else than when it was registered. Plain http goes to the ranges that the operator allowed only.
 */
export function mayDial(ip: string, url: URL, allowRanges: readonly string[]): boolean {
  const port = portOf(url);
  const permission = createDialGuard(port, allowRanges).check(ip);
  if (!permission.allowed || permission.port !== port) return false;
  return url.protocol === 'https:' || isPrivate(ip);
}

/** Whether this address is dialled only because the operator allows its range. */
export const isPrivate = (ip: string): boolean => !createDialGuard(443, []).check(ip).allowed;

/** The host without the brackets that an IPv6 address has in a URL. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
