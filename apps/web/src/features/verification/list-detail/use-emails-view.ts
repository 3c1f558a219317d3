import { useSearchParams } from 'react-router';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { type EmailsView, emailsParamsOf, emailsViewOf } from './emails-view.ts';

/** A change that comes before the one before it is shown would undo that one. */
const shownAtOnce = { flushSync: true, preventScrollReset: true };

/** Which emails of the list are shown, and the ways to show others. */
export function useEmailsView() {
  const [params, setParams] = useSearchParams();
  const view = emailsViewOf(params);
  return {
    view,
    show: (next: EmailsView) => setParams(emailsParamsOf(next), shownAtOnce),
    /** Another selection starts at its first page. Every letter typed is no place to go back to. */
    narrow: (change: Partial<EmailsView>, options: { readonly isPlace?: boolean } = {}) =>
      setParams(
        (current) => {
          const before = emailsViewOf(current);
          const firstPage = { ...before.paging, page: DEFAULT_PAGING.page };
          return emailsParamsOf({ ...before, paging: firstPage, ...change });
        },
        { replace: !options.isPlace, ...shownAtOnce },
      ),
  };
}
