import { describe, expect, it } from 'vitest';
import { isoWithOffset, requestUrl, serialiseQuery } from './request-url.ts';

describe('requestUrl', () => {
  it('fills in parameters, encoded', () => {
    const url = requestUrl('https://a.test/api/', '/billing/coupons/:coupon_id/redemption', {
      params: { coupon_id: 'SPRING/50 %' },
    });
    expect(url).toBe('https://a.test/api/billing/coupons/SPRING%2F50%20%25/redemption');
  });

  it.each(['', '.', '..'])('refuses a parameter that would reach another route (%j)', (value) => {
    expect(() => requestUrl('/api', '/lists/:id/emails', { params: { id: value } })).toThrow('id cannot be');
  });

  it('appends no question mark without a query', () => {
    expect(requestUrl('/api', '/users/me', { query: { page: undefined } })).toBe('/api/users/me');
  });
});

describe('serialiseQuery', () => {
  it('§7 lists repeat their name, undefined values are left out', () => {
    expect(serialiseQuery({ status: ['VALID', 'CATCH_ALL'], page_size: 10, rows: undefined, to: null })).toBe(
      'status=VALID&status=CATCH_ALL&page_size=10',
    );
  });

  it('§7 dates are serialised as ISO with offset', () => {
    const search = new URLSearchParams(serialiseQuery({ from_date: new Date('2026-03-01T12:00:00.000Z') }));

    const sent = search.get('from_date') ?? '';
    expect(sent).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
    expect(new Date(sent).toISOString()).toBe('2026-03-01T12:00:00.000Z');
  });
});

describe('isoWithOffset', () => {
  const noon = new Date('2026-03-01T12:00:00.000Z');

  it.each([
    [0, '2026-03-01T12:00:00.000+00:00'],
    [120, '2026-03-01T14:00:00.000+02:00'],
    [-210, '2026-03-01T08:30:00.000-03:30'],
    [840, '2026-03-02T02:00:00.000+14:00'],
  ])('§7 %i minutes from UTC: %s', (offsetMinutes, text) => {
    expect(isoWithOffset(noon, offsetMinutes)).toBe(text);
    expect(new Date(text).getTime()).toBe(noon.getTime());
  });
});
