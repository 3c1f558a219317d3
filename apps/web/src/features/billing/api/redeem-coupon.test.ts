import { BadRequestError, InternalServerError, NotFoundError, UnauthorizedError } from '@assay/client';
import { describe, expect, it } from 'vitest';
import { asBadRequest, redemptionOf } from './redeem-coupon.ts';

describe('§4 Redeem outcome', () => {
  it.each([
    [new NotFoundError({ http_status: 404, message: 'No such coupon.' })],
    [new UnauthorizedError({ http_status: 401, message: 'No such coupon.' })],
  ])('§4 a %s is remapped to 400 first', (error) => {
    expect(asBadRequest(error)).toMatchObject({
      name: 'BadRequestError',
      http_status: 400,
      message: 'No such coupon.',
    });
  });

  it('§4 other failures stay what they are', () => {
    const broken = new InternalServerError({ http_status: 500 });
    const refused = new BadRequestError({ http_status: 409 });

    expect([asBadRequest(broken), asBadRequest(refused)]).toEqual([broken, refused]);
  });

  it('§4 on any failure the outcome is not_found', () => {
    expect(redemptionOf({ data: undefined, isError: true })).toEqual({ outcome: 'not_found' });
  });

  it('§4 a redeemed coupon is valid, with its credits', () => {
    expect(redemptionOf({ data: { coupon: { amount_of_credits: 250 } }, isError: false })).toEqual({
      outcome: 'valid',
      amountOfCredits: 250,
    });
    expect(redemptionOf({ data: undefined, isError: false })).toBeNull();
  });
});
