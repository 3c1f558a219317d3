import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import { snackbar } from './snackbar.tsx';

const shown = () => notificationsStore.getState().notifications;

describe('§9 snackbar', () => {
  afterEach(() => notifications.clean());

  it.each(['info', 'success', 'warning', 'error'] as const)(
    '%s shows its message and hides after 4000 ms',
    (tone) => {
      snackbar[tone]('Name updated successfully');

      expect(shown()).toMatchObject([
        { message: 'Name updated successfully', autoClose: 4000, 'data-tone': tone },
      ]);
    },
  );

  it('an error interrupts a screen reader, a success waits', () => {
    snackbar.error('Error deleting March');
    snackbar.success('List March deleted.');

    expect(shown().map(({ role }) => role)).toEqual(['alert', 'status']);
  });
});
