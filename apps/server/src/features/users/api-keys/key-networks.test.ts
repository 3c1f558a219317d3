import { describe, expect, it } from 'vitest';
import { isInNetworks } from './key-networks.ts';

describe('isInNetworks', () => {
  const networks = ['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48', '2001:db8:2::5'];

  it.each([
    '203.0.113.0',
    '203.0.113.255',
    '198.51.100.7',
    '2001:db8:1:ffff::1',
    '2001:db8:2::5',
    '2001:DB8:2:0::5',
  ])('holds %s', (address) => expect(isInNetworks(address, networks)).toBe(true));

  it.each(['203.0.114.0', '198.51.100.8', '2001:db8:2::6', '2001:db8:3::', '::1', '127.0.0.1'])(
    'does not hold %s',
    (address) => expect(isInNetworks(address, networks)).toBe(false),
  );

  it('compares an IPv4 address on an IPv6 socket as IPv4', () => {
    expect(isInNetworks('::ffff:203.0.113.9', networks)).toBe(true);
    expect(isInNetworks('::ffff:203.0.114.9', networks)).toBe(false);
  });

  it.each(['', 'unknown', '203.0.113.9:443', 'x'.repeat(10_000)])(
    'does not hold %j, which is no address',
    (text) => {
      expect(isInNetworks(text, networks)).toBe(false);
    },
  );

  it('ignores the bits behind the prefix', () => {
    expect(isInNetworks('203.0.113.200', ['203.0.113.7/24'])).toBe(true);
  });

  it('holds everything when there are none, and for /0', () => {
    expect(isInNetworks('192.0.2.1', [])).toBe(true);
    expect(isInNetworks('192.0.2.1', ['0.0.0.0/0'])).toBe(true);
    expect(isInNetworks('2001:db8::1', ['::/0'])).toBe(true);
  });
});
