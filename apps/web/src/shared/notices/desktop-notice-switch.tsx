import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Icon } from '../components/icon.tsx';
import signOnly from '../components/sign-only.module.css';
import { snackbar } from '../components/snackbar.tsx';
import { desktopNotices } from './desktop-notices.ts';

/** Turns desktop notifications of complete lists on and off in this browser. */
export function DesktopNoticeSwitch() {
  const isOn = useSyncExternalStore(desktopNotices.subscribe, desktopNotices.isOn);
  if (!desktopNotices.isSupported()) return null;
  const toggle = async () => {
    if (isOn) desktopNotices.turnOff();
    else if (!(await desktopNotices.turnOn())) {
      snackbar.warning('Your browser blocks notifications of this page. Allow them in its settings.');
    }
  };
  return (
    <Button
      className={signOnly.button}
      size="xs"
      variant="subtle"
      aria-pressed={isOn}
      leftSection={<Icon name="bell" size={16} />}
      onClick={() => void toggle()}
    >
      <span className={signOnly.words}>{isOn ? 'Notification on' : 'Notify me when done'}</span>
    </Button>
  );
}
