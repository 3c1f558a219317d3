import { useSearchParams } from 'react-router';
import { EmptyState } from '../../shared/components/empty-state.tsx';

export function OAuthCallbackPage() {
  const [query] = useSearchParams();
  const hasBoth = query.has('code') && query.has('state');
  return (
    <main>
      <title>Email Warm Up · Assay</title>
      <EmptyState title={hasBoth ? 'Mailboxes cannot be connected yet.' : 'Missing code or state'} />
    </main>
  );
}
