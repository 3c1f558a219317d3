import type { NotificationData } from '@mantine/notifications';

/** Long enough for the first page to load first. It is loaded in any case, so that a lost connection can still be reported. */
const noticesLoadAfterMs = 3_000;

let requestNotices = () => {};
/** Resolves with the first message, or after `noticesLoadAfterMs`. */
export const noticesRequested = new Promise<void>((resolve) => {
  requestNotices = resolve;
  setTimeout(resolve, noticesLoadAfterMs);
});

let lastShown: Promise<unknown> = Promise.resolve();

/**
 * Shows a message at the foot of the screen, as soon as the code for messages is loaded. Messages keep their order: while that
 * code is being loaded, a later one could be ready first.
 */
export function showNotice(make: () => NotificationData | Promise<NotificationData>): void {
  requestNotices();
  const loading = Promise.all([import('@mantine/notifications'), make()]);
  lastShown = Promise.allSettled([lastShown, loading])
    .then(() => loading)
    .then(([{ notifications }, notice]) => notifications.show(notice))
    // Without a connection a message cannot be shown; what it is about happened all the same.
    .catch((error) => console.error(error));
}
