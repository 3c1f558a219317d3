import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { showNotice } from '../shared/components/show-notice.ts';
import {
  createVersionWatch,
  fetchVersionFile,
  VERSION_CHECK_INTERVAL_MS,
} from '../shared/config/version-watch.ts';
import classes from './reload-offer.module.css';

/** Looks now and then whether the server runs a newer commit, and offers to reload; never reloads by itself. */
export function useReloadOffer(): void {
  useEffect(() => {
    const watch = createVersionWatch({ fetchVersion: fetchVersionFile, onNewCommit: offerReload });
    const check = () => {
      if (document.visibilityState === 'visible') void watch.check();
    };
    check();
    const timer = setInterval(check, VERSION_CHECK_INTERVAL_MS);
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
}

function offerReload(): void {
  showNotice(() => ({
    id: 'new-version',
    autoClose: false,
    role: 'status',
    closeButtonProps: { 'aria-label': 'Close message' },
    message: (
      <div className={classes.root}>
        A new version of Assay is ready.
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    ),
  }));
}
