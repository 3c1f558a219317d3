import { BadRequestError, ForbiddenError, InternalServerError, ServiceUnavailableError } from '@assay/client';
import { expect, it } from 'vitest';
import { formErrorText } from './form-error-text.ts';

it("§8 forms show a 400 error as '{code} {message}'", () => {
  const own = new BadRequestError({ http_status: 400, code: 'name_taken', message: 'Choose another.' });
  const plain = new BadRequestError({ http_status: 409, message: 'Choose another.' });

  expect(formErrorText(own)).toBe('name_taken Choose another.');
  expect(formErrorText(plain)).toBe('bad_request Choose another.');
});

it.each([
  new BadRequestError({ http_status: 400 }),
  new ForbiddenError({ http_status: 403, message: 'Not yours.' }),
  new InternalServerError({ http_status: 500, message: 'Broken' }),
  new ServiceUnavailableError(),
  new TypeError('a fault of our own'),
])("§8 or 'Opps, something went wrong. Please try again!' (%s)", (error) => {
  expect(formErrorText(error)).toBe('Opps, something went wrong. Please try again!');
});

it('says nothing while nothing has failed', () => {
  expect(formErrorText(null)).toBeNull();
});
