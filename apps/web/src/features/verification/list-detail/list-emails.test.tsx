import { COUNTED_EMAILS_MAX } from '@assay/contract';
import { expect, it } from 'vitest';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { elementsWith, renderLoaded } from '../../../shared/testing/render-markup.tsx';
import { verificationKeys } from '../api/keys.ts';
import { ListEmails } from './list-emails.tsx';

const list = { id: '0190', name: 'spring', status: 'COMPLETE', run_state: null } as const;
const email = {
  id: 1,
  email_address: 'jane@exists.test',
  email_address_status: 'VALID',
  reason: null,
  flags: [],
  mx_provider: 'exists.test',
};

/** The page of a list, or of what a filter left of it, with so many emails. */
function rendered(total: number, total_is_exact: boolean) {
  const wanted = { listId: list.id, paging: DEFAULT_PAGING, filter: { sort: 'row' } };
  const key = [...verificationKeys.listEmails, list.id, wanted];
  return renderLoaded(<ListEmails list={list} summary={undefined} />, [
    [key, { results: [email], total, total_is_exact }],
  ]);
}
const disabled = (html: string) => [
  elementsWith(html, 'aria-disabled="true"').length,
  elementsWith(html, 'disabled=""').filter((tag) => tag.startsWith('<option')).length,
];

it('says why the emails cannot be sorted where they are too many', () => {
  const { html, text } = rendered(COUNTED_EMAILS_MAX, false);

  expect(text).toContain('jane@exists.test');
  expect(text).toContain(
    'Sorting by email or result works for up to 10,000 emails. Filter or search to see fewer.',
  );
  // Two columns, and two orders of each in the menu.
  expect(disabled(html)).toEqual([2, 4]);
});

it('sorts as many as that', () => {
  const { html, text } = rendered(COUNTED_EMAILS_MAX, true);

  expect(text).not.toContain('Sorting by');
  expect(disabled(html)).toEqual([0, 0]);
});
