import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import {
  createVersionWatch,
  fetchVersionFile,
  VERSION_CHECK_INTERVAL_MS,
} from '../shared/config/version-watch.ts';

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
  notifications.show({
    id: 'new-version',
    autoClose: false,
    role: 'status',
    closeButtonProps: { 'aria-label': 'Close message' },
    message: (
      <Group justify="space-between" wrap="nowrap">
        A new version of Assay is ready.
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      </Group>
    ),
  });
}
