import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../shared/api/user-query.ts';
import { AsyncSlot } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { DrawnLater } from '../../shared/components/drawn-later.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { pageTitles } from '../../shared/navigation/page-titles.ts';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './account-page.module.css';
import { ApiKeySection } from './components/api-key-section.tsx';
import { AppearanceSection } from './components/appearance-section.tsx';
import { DangerZone } from './components/danger-zone.tsx';
import { NotificationsSection } from './components/notifications-section.tsx';
import { PersonalInfo, PersonalInfoSkeleton } from './components/personal-info.tsx';
import { RecordsSection } from './components/records-section.tsx';
import { SecuritySection } from './components/security-section.tsx';

export function AccountPage() {
  const user = useQuery(userQuery(useServices()));
  return (
    <>
      <title>{`${pageTitles.account} · Assay`}</title>
      <PageHeader title={pageTitles.account} />
      <AsyncSlot
        state={asyncStateOf(user)}
        name="account"
        skeleton={<PersonalInfoSkeleton />}
        onRetry={() => void user.refetch()}
      >
        {(person) => (
          <div className={classes.root}>
            <PersonalInfo user={person} />
            <SecuritySection user={person} />
            <DrawnLater>
              <ApiKeySection />
              <DrawnLater>
                <NotificationsSection user={person} />
                <AppearanceSection />
                <RecordsSection />
                <DangerZone user={person} />
              </DrawnLater>
            </DrawnLater>
          </div>
        )}
      </AsyncSlot>
    </>
  );
}
