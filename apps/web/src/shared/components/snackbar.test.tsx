import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { snackbar } from './snackbar.tsx';

const shown = () => notificationsStore.getState().notifications;

describe('§9 snackbar', () => {
  afterEach(() => notifications.clean());

  it.each(['info', 'success', 'warning', 'error'] as const)(
    '%s shows its message and hides after 4000 ms',
    async (tone) => {
      snackbar[tone]('Name updated successfully');

      await vi.waitFor(() =>
        expect(shown()).toMatchObject([
          { message: 'Name updated successfully', autoClose: 4000, 'data-tone': tone },
        ]),
      );
    },
  );

  it('errors of one cause are one snackbar, as of several calls that failed together', async () => {
    snackbar.error('Too many requests. Try again in 12 seconds.', 'rate_limited');
    snackbar.error('Too many requests. Try again in 11 seconds.', 'rate_limited');
    snackbar.error('The name is taken');
    snackbar.error('The name is taken');
    snackbar.success('Verification successful! Valid email');
    snackbar.success('Verification successful! Valid email');

    await vi.waitFor(() => expect(shown()).toHaveLength(4));
    expect(shown().map(({ message }) => message)).toEqual([
      'Too many requests. Try again in 12 seconds.',
      'The name is taken',
      // Two of these are two results.
      'Verification successful! Valid email',
      'Verification successful! Valid email',
    ]);
    notifications.clean();
    snackbar.error('The name is taken');
    await vi.waitFor(() => expect(shown()).toHaveLength(1));
  });

  it('an error interrupts a screen reader, a success waits', async () => {
    snackbar.error('Error deleting March');
    snackbar.success('List March deleted.');

    await vi.waitFor(() => expect(shown().map(({ role }) => role)).toEqual(['alert', 'status']));
  });
});
