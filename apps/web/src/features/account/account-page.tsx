import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../shared/api/user-query.ts';
import { AsyncSlot, Skeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './account-page.module.css';

export function AccountPage() {
  const user = useQuery(userQuery(useServices()));
  return (
    <>
      <title>Account · Assay</title>
      <PageHeader title="Account" />
      <section aria-labelledby="personal-info">
        <Title order={2} id="personal-info">
          Personal Info
        </Title>
        <AsyncSlot
          state={asyncStateOf(user)}
          name="profile"
          skeleton={<Skeleton height="4rem" />}
          onRetry={() => void user.refetch()}
        >
          {({ first_name, last_name, phone }) => (
            <dl className={classes.rows}>
              <dt>Name</dt>
              <dd>{`${first_name} ${last_name}`.trim()}</dd>
              <dt>Phone</dt>
              <dd>{phone ?? 'Not given'}</dd>
            </dl>
          )}
        </AsyncSlot>
      </section>
    </>
  );
}
