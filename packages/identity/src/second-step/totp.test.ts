import { describe, expect, it } from 'vitest';
import { base32Of, findTotpStep, otpauthUrl, totpCode } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1000);

describe('one-time codes', () => {
  // RFC 6238, appendix B, SHA-1; its codes have eight digits, of which ours are the last six.
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('are those of RFC 6238 at %i seconds', (seconds, published) => {
    const step = Math.floor(seconds / 30);
    expect(totpCode(secret, step)).toBe(published.slice(-6));
    expect(findTotpStep(secret, published.slice(-6), at(seconds))).toBe(step);
  });

  // RFC 4226, appendix D.
  it('are those of RFC 4226 for the counters 0 to 9', () => {
    const published = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583'];
    expect([...published.keys()].map((counter) => totpCode(secret, counter))).toEqual(published);
  });

  it('count one step early or late and no further', () => {
    const code = totpCode(secret, 1000);
    const steps = [998, 999, 1000, 1001, 1002].map((step) => findTotpStep(secret, code, at(step * 30)));
    expect(steps).toEqual([undefined, 1000, 1000, 1000, undefined]);
  });

  it.each(['', '1', '0000000', 'abcdef', '１２３４５６'])('never match %j', (code) => {
    expect(findTotpStep(secret, code, at(59))).toBeUndefined();
  });
});

it('secrets are written in base32 as RFC 4648 §10 has it, without padding', () => {
  const written = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
    base32Of(Buffer.from(text)),
  );
  expect(written).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
});

it('authenticator apps get address, issuer and secret', () => {
  const url = new URL(otpauthUrl(secret, 'ada+x@exists.test'));
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toContain('Assay:ada+x@exists.test');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Assay',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
