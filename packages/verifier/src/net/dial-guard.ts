import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Ranges without public mail hosts (IANA special-purpose registries, RFC 6890 and later). A domain's owner decides where
 * its MX points, so without this list a customer's upload could make us connect to our own machines or to a cloud's
 * metadata service (169.254.169.254 is link-local).
 */
const forbiddenIpv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Only 2000::/3 of IPv6 is public; these ranges in it are not. */
const forbiddenIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

type DialPermission = { allowed: true; port: number } | { allowed: false };

export interface DialGuard {
  /** Whether we may dial this IP address, and on which port. Call it right before dialling, with the same address. */
  check(ip: string): DialPermission;
}

interface AllowedRange {
  list: BlockList;
  port: number;
}

/**
 * @param smtpPort the port of public addresses
 * @param allowRanges `CIDR` or `CIDR@port`: forbidden addresses that we may dial, optionally on another port
 */
export function createDialGuard(smtpPort: number, allowRanges: readonly string[]): DialGuard {
  const allowed = allowRanges.map((range) => parseAllowRange(range, smtpPort));
  const blocked = new BlockList();
  for (const [network, prefix] of forbiddenIpv4) blocked.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of forbiddenIpv6) blocked.addSubnet(network, prefix, 'ipv6');
  const publicIpv6 = new BlockList();
  publicIpv6.addSubnet('2000::', 3, 'ipv6');

  return {
    check(ip) {
      const plain = withoutMapping(ip);
      const family = isIPv4(plain) ? 'ipv4' : isIPv6(plain) ? 'ipv6' : undefined;
      // Only link-local addresses have a zone (fe80::1%eth0), and BlockList does not recognise them with it.
      if (family === undefined || plain.includes('%')) return { allowed: false };

      for (const range of allowed) {
        if (range.list.check(plain, family)) return { allowed: true, port: range.port };
      }
      if (blocked.check(plain, family)) return { allowed: false };
      if (family === 'ipv6' && !publicIpv6.check(plain, 'ipv6')) return { allowed: false };
      return { allowed: true, port: smtpPort };
    },
  };
}

/**
 * The IPv4 address in ::ffff:a.b.c.d, in any spelling; other addresses unchanged. Packets to the mapped form go to the
 * IPv4 host, so the IPv4 rules apply.
 */
function withoutMapping(ip: string): string {
  if (!ip.includes(':') || !isIPv6(ip)) return ip;
  const zone = ip.indexOf('%');
  // The URL parser normalises every spelling of an IPv6 address.
  const canonical = new URL(`http://[${zone < 0 ? ip : ip.slice(0, zone)}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return zone < 0 ? canonical : ip;
  const high = Number.parseInt(mapped[1] as string, 16);
  const low = Number.parseInt(mapped[2] as string, 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function parseAllowRange(range: string, smtpPort: number): AllowedRange {
  const matched = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?(?:@(\d{1,5}))?$/.exec(range.trim());
  const network = matched?.[1] ?? '';
  const family = isIPv4(network) ? 'ipv4' : isIPv6(network) ? 'ipv6' : undefined;
  const bits = family === 'ipv4' ? 32 : 128;
  const prefix = matched?.[2] === undefined ? bits : Number(matched[2]);
  const port = matched?.[3] === undefined ? smtpPort : Number(matched[3]);
  if (family === undefined || prefix > bits || port < 1 || port > 65_535) {
    throw new RangeError(`"${range}" is not a range: write CIDR or CIDR@port, such as 127.77.0.0/16@2525`);
  }
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return { list, port };
}
