import type { ValidationList } from '@assay/contract';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { ListsGrid } from '../../../shared/lists/lists-grid.tsx';
import { SandboxMark } from '../components/sandbox-mark.tsx';
import { useListActions } from '../components/use-list-actions.tsx';
import { useListEvents } from '../realtime/use-list-events.ts';

export const ValidationListsGrid = (page: GridPageProps<ValidationList>) => (
  <ListsGrid
    {...page}
    name="bulk verifications"
    nameCell={({ name, sandbox }) => <SandboxMark name={name} isSandbox={sandbox} />}
    counts={[
      { header: 'Emails', of: ({ total_emails }) => total_emails },
      { header: 'Valid', of: ({ email_metrics }) => email_metrics.valid_emails },
      { header: 'Invalid', of: ({ email_metrics }) => email_metrics.invalid_emails },
      { header: 'Catch all', of: ({ email_metrics }) => email_metrics.catch_all_emails },
      { header: 'Unknown', of: ({ email_metrics }) => email_metrics.unknown_emails },
    ]}
    detailPath={({ id }) => `/email-verification/bulk/${id}`}
    actions={useListActions()}
    live={useListEvents()}
    emptyTitle="No lists yet"
  />
);
