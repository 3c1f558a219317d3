import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Ranges no mail host of the internet can live in (IANA special-purpose registries, RFC 6890 and later). A
 * domain's owner decides where its MX points, so without this list a customer's upload could make us talk to our
 * own machines or to a cloud's metadata service (169.254.169.254 lies in link-local).
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

/** Of IPv6 only 2000::/3 is handed out to the public; these are the holes in it. */
const forbiddenIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

type DialPermission = { allowed: true; port: number } | { allowed: false };

export interface DialGuard {
  /** May this IP address be dialled, and on which port? Ask at the moment of dialling, with what will be dialled. */
  check(ip: string): DialPermission;
}

interface AllowedRange {
  list: BlockList;
  port: number;
}

/**
 * @param smtpPort the port for everyone else
 * @param allowRanges `CIDR` or `CIDR@port`: the only way to a forbidden address, optionally on a port of its own
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
      // A zone (fe80::1%eth0) only ever names a link-local address, and BlockList would not see it as one.
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
 * The IPv4 address inside ::ffff:a.b.c.d, in any spelling; every other address as it is. A packet to the mapped
 * form goes to the IPv4 host, so the IPv4 rules must judge it.
 */
function withoutMapping(ip: string): string {
  if (!ip.includes(':') || !isIPv6(ip)) return ip;
  const zone = ip.indexOf('%');
  // The URL parser writes every spelling of an IPv6 address in one canonical form.
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
