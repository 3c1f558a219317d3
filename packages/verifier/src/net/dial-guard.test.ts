import { describe, expect, it } from 'vitest';
import { createDialGuard } from './dial-guard.ts';

const closed = createDialGuard(25, []);

describe('what may be dialled with no range allowed', () => {
  it.each([
    ['0.0.0.0', 'this network'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'cloud metadata'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['fe80::1', 'link-local'],
    ['fe80::1%lo', 'link-local with its zone'],
    ['fec0::1', 'site-local'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'cloud metadata over IPv6'],
    ['ff02::1', 'multicast'],
    ['64:ff9b::7f00:1', 'NAT64 of loopback'],
    ['64:ff9b:1::1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4 of loopback'],
    ['::ffff:127.0.0.1', 'mapped loopback'],
    ['::ffff:7f00:1', 'mapped loopback in hexadecimal'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', 'mapped metadata, written in full'],
    ['::127.0.0.1', 'the old compatible form'],
    ['localhost', 'a name is no address'],
    ['', 'nothing'],
  ])('refuses %s (%s)', (ip) => {
    expect(closed.check(ip)).toEqual({ allowed: false });
  });

  it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1', '2a00:1450:4001::1b', '::ffff:8.8.8.8'])(
    'allows %s, on the SMTP port',
    (ip) => {
      expect(closed.check(ip)).toEqual({ allowed: true, port: 25 });
    },
  );
});

describe('allowed ranges', () => {
  const guard = createDialGuard(25, ['127.77.0.0/16@2525', '10.0.0.5', 'fd00:1::/32']);

  it('open the range alone, on its own port', () => {
    expect(guard.check('127.77.3.4')).toEqual({ allowed: true, port: 2525 });
    expect(guard.check('::ffff:127.77.3.4')).toEqual({ allowed: true, port: 2525 });
    expect(guard.check('127.78.0.1')).toEqual({ allowed: false });
  });

  it('without a port use the SMTP port, and a lone address is a range of one', () => {
    expect(guard.check('10.0.0.5')).toEqual({ allowed: true, port: 25 });
    expect(guard.check('10.0.0.6')).toEqual({ allowed: false });
    expect(guard.check('fd00:1::9')).toEqual({ allowed: true, port: 25 });
  });

  it.each(['127.0.0.0/33', 'fd00::/129', 'example.com', '127.0.0.1@0', '127.0.0.1@70000', '/8', ''])(
    'refuse to be %s',
    (range) => {
      expect(() => createDialGuard(25, [range])).toThrow(RangeError);
    },
  );
});
