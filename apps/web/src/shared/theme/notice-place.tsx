import { Notifications } from '@mantine/notifications';
import { SNACKBAR_AUTO_HIDE_MS } from '../components/snackbar-look.tsx';

/** Where messages appear. */
export const NoticePlace = () => (
  <Notifications position="bottom-center" autoClose={SNACKBAR_AUTO_HIDE_MS} limit={3} />
);
