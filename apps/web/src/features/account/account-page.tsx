import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../shared/api/user-query.ts';
import { AsyncSlot, Skeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './account-page.module.css';
import { ApiKeySection } from './components/api-key-section.tsx';
import { PersonalInfo } from './components/personal-info.tsx';

export function AccountPage() {
  const user = useQuery(userQuery(useServices()));
  return (
    <>
      <title>Account · Assay</title>
      <PageHeader title="Account" />
      <div className={classes.root}>
        <AsyncSlot
          state={asyncStateOf(user)}
          name="profile"
          skeleton={<Skeleton height="11rem" />}
          onRetry={() => void user.refetch()}
        >
          {(person) => <PersonalInfo user={person} />}
        </AsyncSlot>
        <ApiKeySection />
      </div>
    </>
  );
}
