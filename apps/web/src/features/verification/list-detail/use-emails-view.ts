import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { useAskedParams } from '../../../shared/navigation/asked-params.ts';
import { type EmailsView, emailsParamsOf, emailsViewOf } from './emails-view.ts';

/** Which emails of the list are shown, and the ways to show others. */
export function useEmailsView() {
  const { shown, asked, ask } = useAskedParams();
  const show = (next: EmailsView, options: { readonly replace?: boolean } = {}) =>
    ask(emailsParamsOf(next), { ...options, preventScrollReset: true });
  return {
    view: emailsViewOf(shown),
    show,
    /** Another selection starts at its first page. Every letter typed is no place to go back to. */
    narrow: (
      change: Partial<EmailsView> | ((before: EmailsView) => Partial<EmailsView>),
      options: { readonly isPlace?: boolean } = {},
    ) => {
      const before = emailsViewOf(asked());
      const firstPage = { ...before.paging, page: DEFAULT_PAGING.page };
      const changed = typeof change === 'function' ? change(before) : change;
      show({ ...before, paging: firstPage, ...changed }, { replace: !options.isPlace });
    },
  };
}
