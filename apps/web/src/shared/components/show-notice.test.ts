import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, expect, it, vi } from 'vitest';
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

it('the end of some work takes the place of its beginning, once that could be read; others do not wait', async () => {
  vi.useFakeTimers();
  try {
    showNotice(() => ({ message: 'Generating' }), 'export');
    showNotice(() => ({ message: 'Success' }), 'export');
    showNotice(() => ({ message: 'Name updated' }));
    await vi.waitFor(() => expect(shown()).toEqual(['Generating', 'Name updated']));
    await vi.advanceTimersByTimeAsync(1_500);
    await vi.waitFor(() => expect(shown()).toEqual(['Name updated', 'Success']));
  } finally {
    vi.useRealTimers();
  }
});
