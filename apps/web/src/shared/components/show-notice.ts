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

/** A message that the next one of its thread replaces stays this long, so that it can be read. */
const readableMs = 1_500;

interface Thread {
  readonly noticeId: string;
  /** Resolves when the message has been on the screen for `readableMs`. */
  readonly readable: Promise<unknown>;
}
const threads = new Map<string, Thread>();
let threadedCount = 0;

/**
 * Shows a message at the foot of the screen, as soon as the code for messages is loaded. Messages keep their order: while that
 * code is being loaded, a later one could be ready first. Of a thread, such as the start and the end of one piece of work,
 * only the last message is on the screen.
 */
export function showNotice(make: () => NotificationData | Promise<NotificationData>, thread?: string): void {
  requestNotices();
  const loading = Promise.all([import('@mantine/notifications'), make()]);
  const before = thread === undefined ? undefined : threads.get(thread);
  threadedCount += 1;
  const noticeId = `${thread} ${threadedCount}`;
  const shown = Promise.allSettled([lastShown, loading, before?.readable])
    .then(() => loading)
    .then(([{ notifications }, notice]) => {
      if (before) notifications.hide(before.noticeId);
      notifications.show(thread === undefined ? notice : { ...notice, id: noticeId });
    })
    // Without a connection a message cannot be shown; what it is about happened all the same.
    .catch((error) => console.error(error));
  // Messages of other threads do not wait until this one may replace another.
  if (before === undefined) lastShown = shown;
  if (thread === undefined) return;
  const readable = shown.then(() => new Promise((resolve) => setTimeout(resolve, readableMs)));
  threads.set(thread, { noticeId, readable });
}
