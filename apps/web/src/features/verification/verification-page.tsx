import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';

export function VerificationPage() {
  const { uploadMode = 'single' } = useParams();
  const navigate = useNavigate();
  return (
    <>
      <title>Email verification · Assay</title>
      <PageHeader title="Email verification" />
      <Tabs value={uploadMode} onChange={(mode) => void navigate(`/email-verification/${mode}`)}>
        <Tabs.List>
          <Tabs.Tab value="single">Single verifications</Tabs.Tab>
          <Tabs.Tab value="bulk">Bulk verifications</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={uploadMode} pt="lg">
          <EmptyState title="No verified emails yet." />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
