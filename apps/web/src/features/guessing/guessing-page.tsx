import { EmptyState } from '../../shared/components/empty-state.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';

export function GuessingPage() {
  return (
    <>
      <title>Email guessing · Assay</title>
      <PageHeader title="Email guessing" description="Guess email addresses from LinkedIn profiles." />
      <EmptyState title="No guessed emails yet." />
    </>
  );
}
