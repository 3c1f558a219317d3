import type { NotificationData } from '@mantine/notifications';

/** Shows a message at the foot of the screen. Its code is loaded after the first page, and messages wait for it. */
export function showNotice(make: () => NotificationData | Promise<NotificationData>): void {
  Promise.all([import('@mantine/notifications'), make()]).then(
    ([{ notifications }, notice]) => notifications.show(notice),
    // Without a connection a message cannot be shown; what it is about happened all the same.
    (error) => console.error(error),
  );
}
