import { Title } from '@mantine/core';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';

export function WarmUpPage() {
  return (
    <>
      <title>Email Warm Up · Assay</title>
      <PageHeader title="Email Warm Up" />
      <section aria-labelledby="authorized-accounts">
        <Title order={2} id="authorized-accounts">
          Authorized accounts
        </Title>
        <EmptyState title="No email accounts are currently authorized. Connect a Gmail or Microsoft account to get started." />
      </section>
    </>
  );
}
