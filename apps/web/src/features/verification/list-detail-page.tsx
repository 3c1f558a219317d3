import { EmptyState } from '../../shared/components/empty-state.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';

export function ListDetailPage() {
  return (
    <>
      <title>List · Assay</title>
      <PageHeader
        title="List"
        back={{ to: '/email-verification/bulk', label: 'Back to bulk verifications' }}
      />
      <EmptyState title="No verified emails yet." />
    </>
  );
}
