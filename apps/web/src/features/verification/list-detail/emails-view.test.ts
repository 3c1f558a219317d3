import { describe, expect, it } from 'vitest';
import { EVERYTHING, emailsParamsOf, emailsViewOf, sortOf } from './emails-view.ts';

const viewAt = (search: string) => emailsViewOf(new URLSearchParams(search));

describe('which emails of a list are shown, by the address', () => {
  it('all of them, ten to a page, when it says nothing', () => {
    expect(viewAt('')).toEqual({ paging: { page: 1, pageSize: 10 }, ...EVERYTHING });
    expect(emailsParamsOf(viewAt('')).toString()).toBe('');
  });

  it('is written as it is read', () => {
    const written =
      'page=3&page_size=25&search=%40exists.test&result=VALID&result=CATCH_ALL&reason=catch_all&flag=role&mx_provider=Microsoft+365&sort=-email';
    expect(emailsParamsOf(viewAt(written)).toString()).toBe(written);
  });

  it('takes what makes no sense as not said', () => {
    expect(
      viewAt('page=-1&page_size=7&result=PERFECT&search=%20%20&reason=%20&flag=odd&mx_provider=&sort=size'),
    ).toEqual(viewAt(''));
    expect(viewAt(`search=${'x'.repeat(300)}`).search).toHaveLength(254);
  });
});

describe('the order of the emails', () => {
  it('is that of the file, and the newest results first while the list runs and nothing is searched', () => {
    expect(sortOf(viewAt(''), false)).toBe('row');
    expect(sortOf(viewAt(''), true)).toBe('newest');
    expect(sortOf(viewAt('search=jane'), true)).toBe('row');
    expect(sortOf(viewAt('sort=row'), true)).toBe('row');
  });
});
