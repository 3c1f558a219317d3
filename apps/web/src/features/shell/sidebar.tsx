import type { User, Wallet } from '@assay/contract';
import { NavLink } from 'react-router';
import { AsyncSlot, LineSkeleton } from '../../shared/components/async-slot.tsx';
import type { AsyncState } from '../../shared/components/async-state.ts';
import { Icon } from '../../shared/components/icon.tsx';
import { listNavigationItems, type NavigationItem } from './navigation-items.ts';
import { PlanPanel } from './plan-panel.tsx';
import classes from './sidebar.module.css';
import { SignOutButton } from './sign-out-button.tsx';

export interface SidebarProps {
  user: AsyncState<User>;
  wallet: AsyncState<Wallet>;
  isStaging: boolean;
  docsUrl: string;
  now: Date;
  onSignOut: () => void | Promise<void>;
  onRetryUser: () => void;
  onRetryWallet: () => void;
}

/** All of the sidebar below its logo: beside the page on a wide screen, in the drawer on a narrow one. */
export function Sidebar(props: SidebarProps) {
  const { user, wallet, isStaging, docsUrl, now, onSignOut, onRetryUser, onRetryWallet } = props;
  const hasGuessing = user.data?.feature_flags.guessing_enabled ?? false;
  return (
    <div className={classes.root}>
      <nav aria-label="Main">
        <ul className={classes.items}>
          {listNavigationItems({ hasGuessing, isStaging, docsUrl }).map((item) => (
            <li key={item.label}>
              <SidebarLink item={item} />
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.foot}>
        <PlanPanel wallet={wallet} now={now} onRetry={onRetryWallet} />
        <AsyncSlot state={user} name="profile" onRetry={onRetryUser} skeleton={<ProfileSkeleton />}>
          {({ first_name, last_name, email_address }) => (
            <div className={classes.profile}>
              <p className={classes.name}>{`${first_name} ${last_name}`.trim()}</p>
              <p className={classes.email}>{email_address}</p>
            </div>
          )}
        </AsyncSlot>
        <SignOutButton onSignOut={onSignOut} />
      </div>
    </div>
  );
}

function SidebarLink({ item }: { item: NavigationItem }) {
  if (item.isExternal) {
    return (
      <a href={item.href} target="_blank" rel="noopener noreferrer" className={classes.item}>
        <Icon name={item.icon} />
        <span>{item.label}</span>
        <span className={classes.external}>
          <Icon name="external" size={14} />
        </span>
      </a>
    );
  }
  return (
    <NavLink to={item.href} className={classes.item}>
      <Icon name={item.icon} />
      <span>{item.label}</span>
    </NavLink>
  );
}

function ProfileSkeleton() {
  return (
    <div className={classes.profile}>
      <p className={classes.name}>
        <LineSkeleton width="7rem" />
      </p>
      <p className={classes.email}>
        <LineSkeleton width="10rem" />
      </p>
    </div>
  );
}
