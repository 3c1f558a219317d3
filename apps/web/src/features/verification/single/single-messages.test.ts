import { VERDICTS } from '@assay/contract';
import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tellOutcome, tellStarted } from './single-messages.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(async () => {
  // The message of the next test does not wait until this one could be read.
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  notifications.clean();
});
const messages = () => notificationsStore.getState().notifications.map(({ message }) => message);

it.each(VERDICTS)(
  'of a check that ends as %s the result is on the screen, and its start no more',
  async (verdict) => {
    tellStarted('jane@exists.test');
    tellOutcome[verdict]();

    await vi.waitFor(() =>
      expect(messages()).toEqual(['Email verification started for email jane@exists.test.']),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    await vi.waitFor(() =>
      expect(messages()).toEqual([expect.stringContaining('Verification successful! ')]),
    );
  },
);
