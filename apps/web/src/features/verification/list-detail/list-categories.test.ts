import { expect, it } from 'vitest';
import { categoriesOf } from './list-categories.ts';

it('§2 List detail: the donut has valid, invalid, catch-all and unknown counts, in this order', () => {
  const email_metrics = { unknown_emails: 4, catch_all_emails: 3, invalid_emails: 2, valid_emails: 1 };

  expect(categoriesOf({ email_metrics })).toEqual([
    { verdict: 'VALID', count: 1 },
    { verdict: 'INVALID', count: 2 },
    { verdict: 'CATCH_ALL', count: 3 },
    { verdict: 'UNKNOWN', count: 4 },
  ]);
});
