import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceExport } from './announce-export.ts';

const messages = () => notificationsStore.getState().notifications.map(({ message }) => message);

describe('§8 messages of an export', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(async () => {
    // The message of the next test does not wait until this one could be read.
    await vi.advanceTimersByTimeAsync(2_000);
    vi.useRealTimers();
    notifications.clean();
  });

  it.each([{}, { download_link: '' }])('an answer of %j is no success', async (answer) => {
    announceExport.onSuccess(answer);

    await vi.waitFor(() =>
      expect(messages()).toEqual(['Something went wrong generating the download, please try again']),
    );
  });

  it.each([
    'This list is no longer there.',
    'This list is no longer there',
    'This list is no longer there … ',
  ])('%j ends in one punctuation mark only', async (message) => {
    announceExport.onError(new Error(message));

    await vi.waitFor(() =>
      expect(messages()).toEqual([
        'There was an error generating the export! This list is no longer there, please try again later.',
      ]),
    );
  });

  it('two downloads leave one message, which no longer says that one is generated', async () => {
    vi.stubGlobal('document', { createElement: () => ({ click: () => undefined }) });
    const list = { name: 'March' };
    announceExport.onMutate({ list });
    announceExport.onMutate({ list });
    announceExport.onSuccess({ download_link: '/downloads/1' });
    announceExport.onSuccess({ download_link: '/downloads/2' });
    vi.unstubAllGlobals();

    await vi.advanceTimersByTimeAsync(10_000);

    expect(messages()).toEqual(['Success! Export generated']);
  });

  it('shows our own message when a failure has none', async () => {
    announceExport.onError(new Error(''));

    await vi.waitFor(() =>
      expect(messages()).toEqual(['Something went wrong generating the download, please try again']),
    );
  });
});
