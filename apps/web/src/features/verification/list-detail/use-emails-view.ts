import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { type EmailsView, emailsParamsOf, emailsViewOf } from './emails-view.ts';

/** Which emails of the list are shown, and the ways to show others. */
export function useEmailsView() {
  const [params, setParams] = useSearchParams();
  // A second change may come before the page shows the first. It starts from the first, and does not undo it.
  const asked = useRef<URLSearchParams>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page now shows what was asked for, or went elsewhere
  useEffect(() => {
    asked.current = undefined;
  }, [params]);

  const show = (next: EmailsView, options: { readonly replace?: boolean } = {}) => {
    asked.current = emailsParamsOf(next);
    setParams(asked.current, { ...options, preventScrollReset: true });
  };
  return {
    view: emailsViewOf(params),
    show: (next: EmailsView) => show(next),
    /** Another selection starts at its first page. Every letter typed is no place to go back to. */
    narrow: (change: Partial<EmailsView>, options: { readonly isPlace?: boolean } = {}) => {
      const before = emailsViewOf(asked.current ?? params);
      const firstPage = { ...before.paging, page: DEFAULT_PAGING.page };
      show({ ...before, paging: firstPage, ...change }, { replace: !options.isPlace });
    },
  };
}
