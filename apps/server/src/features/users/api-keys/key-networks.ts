import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whether an address is in one of the networks. No networks allow every address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  // A trusted proxy may have sent any text.
  if (isIP(address) === 0) return false;
  const allowed = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = familyOf(base);
    allowed.addSubnet(base, bits === undefined ? bitsOf[family] : Number(bits), family);
  }
  // An IPv4 address that arrives on an IPv6 socket is written as ::ffff:203.0.113.7. The list compares it as IPv4.
  return allowed.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
const bitsOf = { ipv4: 32, ipv6: 128 } as const;
