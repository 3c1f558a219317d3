import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, it } from 'vitest';
import { showNotice } from './show-notice.ts';

afterEach(() => notifications.clean());
const shown = () => notificationsStore.getState().notifications.map(({ message }) => message);

it('shows messages in the order in which they were given, although a later one is ready first', async () => {
  const first = Promise.withResolvers<{ message: string }>();
  showNotice(() => first.promise);
  showNotice(() => ({ message: 'complete' }));
  await new Promise(setImmediate);
  first.resolve({ message: 'started' });
  await expect.poll(shown).toEqual(['started', 'complete']);
});

it('shows a message after one that could not be made', async () => {
  showNotice(() => Promise.reject(new Error('No connection')));
  showNotice(() => ({ message: 'complete' }));
  await expect.poll(shown).toEqual(['complete']);
});
