import { describe, expect, it } from 'vitest';
import { errorFromAnswer, ServiceUnavailableError, UnknownError } from './errors.ts';

describe('§8 errors are mapped by HTTP status', () => {
  it.each([
    [500, 'InternalServerError', 'internal_server_error'],
    [503, 'InternalServerError', 'internal_server_error'],
    [401, 'UnauthorizedError', 'unauthorized'],
    [403, 'ForbiddenError', 'forbidden'],
    [404, 'NotFoundError', 'not_found'],
    [400, 'BadRequestError', 'bad_request'],
    [409, 'BadRequestError', 'bad_request'],
    [429, 'BadRequestError', 'bad_request'],
  ])('§8 %i becomes %s, code %s', (status, name, code) => {
    const error = errorFromAnswer(status, undefined);

    expect(error).toMatchObject({ name, code, http_status: status });
  });

  it('§8 no response: ServiceUnavailableError without a status', () => {
    expect(new ServiceUnavailableError()).toMatchObject({
      code: 'service_unavailable',
      http_status: undefined,
    });
  });

  it('§8 missing response: UnknownError with code 0', () => {
    expect(new UnknownError().code).toBe(0);
  });
});

describe('§8 where the message comes from', () => {
  it('§8 error_description is preferred', () => {
    const error = errorFromAnswer(400, { error: 'invalid_grant', error_description: 'The code has expired' });
    expect(error.message).toBe('The code has expired');
  });

  it('§8 error where there is no description', () => {
    expect(errorFromAnswer(400, { error: 'invalid_grant' }).message).toBe('invalid_grant');
  });

  it('§8 the first entry of an errors array gives message and code', () => {
    const error = errorFromAnswer(409, {
      errors: [
        {
          code: 'api_key_exists',
          message: 'Delete the key first.',
          http_status: 409,
          trace_id: 't-1',
          meta: { id: 7 },
        },
        { code: 'second', message: 'Never shown.' },
      ],
    });

    expect(error).toMatchObject({
      code: 'api_key_exists',
      message: 'Delete the key first.',
      http_status: 409,
      trace_id: 't-1',
      meta: { id: 7 },
    });
  });

  it.each([['<html>'], [null], [{ errors: [] }], [{ errors: 'no' }], [{ error: {} }]])(
    'an answer that says nothing readable (%j) has an empty message',
    (body) => {
      expect(errorFromAnswer(400, body)).toMatchObject({ message: '', code: 'bad_request' });
    },
  );

  it('takes the trace id from the header when the body has none', () => {
    const error = errorFromAnswer(502, undefined, new Headers({ 'x-trace-id': 't-9' }));
    expect(error.trace_id).toBe('t-9');
  });
});
