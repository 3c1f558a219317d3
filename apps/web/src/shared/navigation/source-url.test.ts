import { describe, expect, it } from 'vitest';
import { safeSourceUrl } from './source-url.ts';

describe('§2 Message pages: source_url leads to a path of our own', () => {
  it.each([
    ['/', '/'],
    ['/billing', '/billing'],
    ['/email-verification/bulk/42?page=2&size=25#row-3', '/email-verification/bulk/42?page=2&size=25#row-3'],
    ['/account?note=100%25%20sure', '/account?note=100%25%20sure'],
    ['/account?note=100%', '/account?note=100%'],
    ['/email-verification/../billing', '/billing'],
    ['/redirect?to=https://elsewhere.test', '/redirect?to=https://elsewhere.test'],
    ['/search?q=a\\b', '/search?q=a\\b'],
  ])('%j is kept', (value, path) => {
    expect(safeSourceUrl(value)).toBe(path);
  });

  it('a value that was encoded twice on its way is decoded', () => {
    expect(safeSourceUrl('%2Fbilling%3Fpage%3D2')).toBe('/billing?page=2');
  });

  it('none given is none', () => {
    expect(safeSourceUrl(null)).toBeNull();
  });
});

describe('open redirects are refused', () => {
  it.each([
    [''],
    ['billing'],
    ['?page=2'],
    ['#top'],
    ['https://elsewhere.test/'],
    ['//elsewhere.test'],
    ['///elsewhere.test'],
    ['/\\elsewhere.test'],
    ['\\\\elsewhere.test'],
    ['/\\/elsewhere.test'],
    ['/billing\\..\\..\\elsewhere'],
    ['javascript:alert(1)'],
    ['JaVaScRiPt:alert(1)'],
    ['data:text/html,hello'],
    [' /billing'],
    ['/\t/elsewhere.test'],
    ['/\n/elsewhere.test'],
    ['/\r\nLocation: https://elsewhere.test'],
    ['/\u0000/elsewhere.test'],
    ['/bill\u007fing'],
    ['/bill\u0085ing'],
    ['/.//elsewhere.test'],
    ['/billing/..//elsewhere.test'],
    ['/%2e%2e//elsewhere.test'],
    ['/%2Felsewhere.test'],
    ['/%5Celsewhere.test'],
    ['/%252Felsewhere.test'],
    ['/%25255Celsewhere.test'],
    ['%2F%2Felsewhere.test'],
    ['%252F%252Felsewhere.test'],
    ['%5C%5Celsewhere.test'],
    ['javascript%3Aalert(1)'],
    ['https%3A%2F%2Felsewhere.test'],
    ['/%09/elsewhere.test'],
    ['/%2525252525252Felsewhere.test'],
    ['/%2Felsewhere.test?broken=%'],
    ['%'],
    ['//'],
    ['///'],
    ['%2F%2F'],
    ['/%2F'],
    ['//['],
    ['//elsewhere.test:port'],
    ['//%'],
  ])('%j', (value) => {
    expect(safeSourceUrl(value)).toBeNull();
  });
});
