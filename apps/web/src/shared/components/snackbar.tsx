import { notifications } from '@mantine/notifications';
import { Icon } from './icon.tsx';
import classes from './snackbar.module.css';
import { VerdictMark } from './verdict-mark.tsx';

export const SNACKBAR_AUTO_HIDE_MS = 4000;

type Tone = 'info' | 'success' | 'warning' | 'error';

const signs: Record<Tone, React.ReactNode> = {
  info: <VerdictMark verdict="PENDING" size={20} />,
  success: <VerdictMark verdict="VALID" size={20} />,
  warning: <Icon name="warning" />,
  error: <VerdictMark verdict="INVALID" size={20} />,
};

function show(tone: Tone, message: string, id?: string): void {
  notifications.show({
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
}

/** A line at the foot of the screen that goes away by itself. */
export const snackbar = {
  /** Something has begun; another message reports its result. */
  info: (message: string): void => show('info', message),
  success: (message: string): void => show('success', message),
  warning: (message: string): void => show('warning', message),
  /** While one is shown, another of the same cause is not; the cause is the message unless it is named. */
  error: (message: string, cause: string = message): void => show('error', message, `error ${cause}`),
};
