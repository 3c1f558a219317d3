import { useSyncExternalStore } from 'react';
import { Icon } from '../components/icon.tsx';
import { useServices } from '../services/services-context.tsx';
import type { ConnectionTrouble } from './connection.ts';
import classes from './connection-notice.module.css';
import { POLL_INTERVAL_MS } from './use-polling.ts';

const texts: Readonly<Record<ConnectionTrouble, string>> = {
  offline: 'You are offline. Waiting for the connection…',
  unreachable: 'Assay cannot be reached. Trying again…',
  busy: 'Assay is busy. Trying again in a moment…',
  no_live_updates: `Live updates are off. Refreshing every ${POLL_INTERVAL_MS / 1000} seconds.`,
};

/** Says in a corner of the screen why it may be out of date. The place is always there, so that the words are announced. */
export function ConnectionNotice() {
  const { connection } = useServices();
  const trouble = useSyncExternalStore(connection.subscribe, connection.trouble);
  return (
    <div className={classes.place} role="status" aria-label="Connection">
      {trouble === undefined ? null : (
        <p className={classes.notice}>
          <Icon name={trouble === 'no_live_updates' ? 'retry' : 'warning'} size={16} />
          <span>{texts[trouble]}</span>
        </p>
      )}
    </div>
  );
}
