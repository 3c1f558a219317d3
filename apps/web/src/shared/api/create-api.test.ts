import { ForbiddenError, UnauthorizedError } from '@assay/client';
import { routes } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { rewriteUnauthorized } from './create-api.ts';

const unauthorized = new UnauthorizedError({
  http_status: 401,
  message: 'The token has ended.',
  trace_id: 't-1',
});

describe('§8 most 401s on data calls are rewritten to 400', () => {
  it('§8 a data call', () => {
    expect(rewriteUnauthorized(unauthorized, routes.billing.getWallet)).toMatchObject({
      name: 'BadRequestError',
      code: 'bad_request',
      http_status: 400,
      message: 'The token has ended.',
      trace_id: 't-1',
    });
  });

  it('§8 but not who the person is', () => {
    expect(rewriteUnauthorized(unauthorized, routes.users.getMe)).toBe(unauthorized);
  });

  it('§8 nor a call that the end of the session kept from being sent', () => {
    const ended = new UnauthorizedError({ http_status: 401, code: 'session_ended' });
    expect(rewriteUnauthorized(ended, routes.billing.getWallet)).toBe(ended);
  });

  it('§8 and nothing but a 401', () => {
    const forbidden = new ForbiddenError({ http_status: 403 });
    expect(rewriteUnauthorized(forbidden, routes.billing.getWallet)).toBe(forbidden);
  });
});
