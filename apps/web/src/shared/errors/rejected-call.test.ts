import {
  BadRequestError,
  ForbiddenError,
  InternalServerError,
  NotFoundError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnknownError,
} from '@assay/client';
import { describe, expect, it } from 'vitest';
import { reactionTo } from './rejected-call.ts';

describe('§8 global handling of a rejected call', () => {
  it('§8 401 is ignored', () => {
    expect(reactionTo(new UnauthorizedError({ http_status: 401 }))).toEqual({ kind: 'ignore' });
  });

  it('§8 404 navigates to /not-found', () => {
    expect(reactionTo(new NotFoundError({ http_status: 404 }))).toEqual({ kind: 'not-found' });
  });

  it.each([500, 502, 503])('§8 %i is an internal error', (status) => {
    expect(reactionTo(new InternalServerError({ http_status: status }))).toEqual({ kind: 'internal-error' });
  });

  it('§8 a missing status is an internal error', () => {
    expect(reactionTo(new ServiceUnavailableError())).toEqual({ kind: 'internal-error' });
    expect(reactionTo(new TypeError('a fault of our own'))).toEqual({ kind: 'internal-error' });
  });

  it('§8 except UnknownError, which shows a snackbar', () => {
    expect(reactionTo(new UnknownError({ message: 'Unreadable answer' }))).toEqual({
      kind: 'snackbar',
      message: 'Unreadable answer',
      cause: 'Unreadable answer',
    });
  });

  it('§8 anything else shows an error snackbar with the message', () => {
    const refused = new BadRequestError({ http_status: 409, message: 'Delete the key first.' });
    const forbidden = new ForbiddenError({ http_status: 403, message: 'Not yours.' });

    expect(reactionTo(refused)).toMatchObject({ kind: 'snackbar', message: 'Delete the key first.' });
    expect(reactionTo(forbidden)).toMatchObject({ kind: 'snackbar', message: 'Not yours.' });
  });

  it("§8 or 'An unexpected error occurred' when there is no message", () => {
    expect(reactionTo(new BadRequestError({ http_status: 400 }))).toMatchObject({
      kind: 'snackbar',
      message: 'An unexpected error occurred',
    });
  });

  it('§8 an aborted call is ignored', () => {
    expect(reactionTo(new DOMException('left', 'AbortError'))).toEqual({ kind: 'ignore' });
  });

  it('all limits that are reached together are one cause, whatever seconds they name', () => {
    const limit = (seconds: number) =>
      reactionTo(new BadRequestError({ http_status: 429, message: `Wait ${seconds} seconds.` }));

    expect(limit(12)).toEqual({ kind: 'snackbar', message: 'Wait 12 seconds.', cause: 'limit' });
    expect(limit(11)).toMatchObject({ cause: 'limit' });
  });
});
