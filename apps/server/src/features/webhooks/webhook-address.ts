import { isIP } from 'node:net';
import { createDialGuard } from '@assay/verifier';
import { isBadPort } from './bad-ports.ts';

/** Why events cannot go to this URL, as text for the customer; null if the URL is acceptable. */
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
 * Whether this network address may be dialled for the URL. Checked when dialling, because a
 * name may resolve differently than at registration. Plain http is allowed only in the operator's ranges.
 */
export function mayDial(ip: string, url: URL, allowRanges: readonly string[]): boolean {
  const port = portOf(url);
  const permission = createDialGuard(port, allowRanges).check(ip);
  if (!permission.allowed || permission.port !== port) return false;
  return url.protocol === 'https:' || isPrivate(ip);
}

/** Whether this address is allowed only because the operator allows its range. */
export const isPrivate = (ip: string): boolean => !createDialGuard(443, []).check(ip).allowed;

/** The host without the brackets of an IPv6 address. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
