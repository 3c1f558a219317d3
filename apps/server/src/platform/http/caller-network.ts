import { isIPv6 } from 'node:net';

/**
 * Whose calls are counted together: an IPv4 address, or the /64 network of an IPv6 one, since a single subscriber has all
 * of its addresses.
 */
export function callerNetwork(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(ip)?.[1];
  if (mappedIpv4) return mappedIpv4;
  const [head = '', tail] = ip.toLowerCase().split('::');
  const groups = groupsOf(head);
  // '::' stands for the groups that are missing.
  if (tail !== undefined) {
    const behind = groupsOf(tail);
    const missing = 8 - groups.length - behind.length - (tail.includes('.') ? 1 : 0);
    groups.push(...Array<string>(missing).fill('0'), ...behind);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
