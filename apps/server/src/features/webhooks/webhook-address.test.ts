import { describe, expect, it } from 'vitest';
import { mayDial, whyRefused } from './webhook-address.ts';

const refused = (url: string, allowRanges: string[] = []) => whyRefused(new URL(url), allowRanges);

describe('a webhook URL', () => {
  it.each([
    'https://hooks.example/assay',
    'https://hooks.example:8443/a?b=c',
    'https://93.184.216.34/hooks',
    'https://[2606:2800:220:1::1]/hooks',
  ])('may be %s', (url) => {
    expect(refused(url)).toBeNull();
  });

  it.each(['http://hooks.example/', 'ftp://hooks.example/', 'http://93.184.216.34/', 'javascript:alert(1)'])(
    'is not %s: only https',
    (url) => {
      expect(refused(url)).toMatch(/begins with https/);
    },
  );

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://api.localhost/',
  ])('is not %s: private', (url) => {
    expect(refused(url)).toMatch(/private networks/);
  });

  it.each([0, 1, 21, 22, 23, 25, 53, 110, 143, 465, 587, 993, 2049, 6667])(
    'does not name port %i, which belongs to another protocol, also where its range is allowed',
    (port) => {
      expect(refused(`https://hooks.example:${port}/`)).toMatch(`port ${port} is not one of a web server`);
      expect(refused(`http://127.0.0.1:${port}/`, ['127.0.0.0/8'])).toMatch(/another port/);
    },
  );

  it('must not contain a password', () => {
    expect(refused('https://user:secret@hooks.example/')).toMatch(/user name and password/);
  });

  it('may be plain http in a range and on a port that the operator allows', () => {
    const loopback = ['127.0.0.1/32@4100'];

    expect(refused('http://127.0.0.1:4100/hooks', loopback)).toBeNull();
    expect(refused('http://localhost:4100/hooks', loopback)).toBeNull();
    expect(refused('http://127.0.0.1:5432/', loopback)).toMatch(/begins with https/);
    expect(refused('http://127.0.0.2:4100/', loopback)).toMatch(/begins with https/);
    expect(refused('http://hooks.example/', loopback)).toMatch(/begins with https/);
  });
});

describe('dialling', () => {
  it('allows https only for a public address, and http too for an allowed private one', () => {
    const http = new URL('http://hooks.example/');
    const https = new URL('https://hooks.example/');

    expect(mayDial('93.184.216.34', https, [])).toBe(true);
    expect(mayDial('93.184.216.34', http, [])).toBe(false);
    expect(mayDial('10.0.0.7', https, [])).toBe(false);
    expect(mayDial('10.0.0.7', https, ['10.0.0.0/8'])).toBe(true);
    expect(mayDial('10.0.0.7', http, ['10.0.0.0/8'])).toBe(true);
  });
});
