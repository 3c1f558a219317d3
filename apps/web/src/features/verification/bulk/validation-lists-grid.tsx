import type { ValidationList } from '@assay/contract';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { ListsGrid } from '../../../shared/lists/lists-grid.tsx';
import { pageTitles } from '../../../shared/navigation/page-titles.ts';
import { useDeleteById } from '../api/delete-list.ts';
import { validationListKeys } from '../api/keys.ts';
import { SandboxMark } from '../components/sandbox-mark.tsx';
import { useListActions } from '../components/use-list-actions.tsx';
import { useListEvents } from '../realtime/use-list-events.ts';

export function ValidationListsGrid(page: GridPageProps<ValidationList>) {
  const deleteById = useDeleteById();
  return (
    <ListsGrid
      keys={validationListKeys}
      deleteById={deleteById}
      {...page}
      name="bulk verifications"
      nameCell={({ name, sandbox }) => <SandboxMark name={name} isSandbox={sandbox} />}
      counts={[
        { header: 'Emails', of: ({ total_emails }) => total_emails },
        { header: 'Valid', verdict: 'VALID', of: ({ email_metrics }) => email_metrics.valid_emails },
        { header: 'Invalid', verdict: 'INVALID', of: ({ email_metrics }) => email_metrics.invalid_emails },
        {
          header: 'Catch all',
          verdict: 'CATCH_ALL',
          of: ({ email_metrics }) => email_metrics.catch_all_emails,
        },
        { header: 'Unknown', verdict: 'UNKNOWN', of: ({ email_metrics }) => email_metrics.unknown_emails },
      ]}
      detailPath={({ id }) => `/email-verification/bulk/${id}`}
      actions={useListActions()}
      live={useListEvents()}
      emptyTitle="No lists yet"
      pageTitle={pageTitles.verification}
    />
  );
}
