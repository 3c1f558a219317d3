import type { NotificationData } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import classes from './snackbar.module.css';
import { VerdictMark } from './verdict-mark.tsx';

export const SNACKBAR_AUTO_HIDE_MS = 4000;

export type Tone = 'info' | 'success' | 'warning' | 'error';

const signs: Record<Tone, ReactNode> = {
  info: <VerdictMark verdict="PENDING" size={20} />,
  success: <VerdictMark verdict="VALID" size={20} />,
  warning: <Icon name="warning" />,
  error: <VerdictMark verdict="INVALID" size={20} />,
};

/** A snackbar as the library wants it. Snackbars with the same id are one. */
export const snackbarOf = (tone: Tone, message: string, id: string | undefined): NotificationData => ({
  ...(id !== undefined && { id }),
  message,
  icon: <span aria-hidden="true">{signs[tone]}</span>,
  autoClose: SNACKBAR_AUTO_HIDE_MS,
  // A failure interrupts a screen reader; the rest waits for a pause.
  role: tone === 'error' ? 'alert' : 'status',
  className: classes.root,
  classNames: { icon: classes.icon, description: classes.message },
  closeButtonProps: { 'aria-label': 'Close message' },
  'data-tone': tone,
});
