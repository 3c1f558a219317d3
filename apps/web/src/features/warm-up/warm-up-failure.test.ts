import { InternalServerError, ServiceUnavailableError, UnknownError } from '@assay/client';
import { describe, expect, it } from 'vitest';
import { failureInWordsOf, failureNamed, lastFailureOf, WarmUpFailure } from './warm-up-failure.ts';

describe('§8 warm-up messages', () => {
  const refused = new InternalServerError({ http_status: 503, message: 'Not set up here.' });

  it('§8 an answer that refuses has the text of its call, and the server’s reason beside it', () => {
    expect(failureNamed('Failed to get authorization URL', refused)).toMatchObject({
      message: 'Failed to get authorization URL',
      reason: 'Not set up here.',
    });
  });

  it("§8 what kept an answer from coming speaks for itself, or is 'An error occurred'", () => {
    const silent = new ServiceUnavailableError();
    const spoken = new ServiceUnavailableError({ message: 'The server could not be reached' });

    expect(failureNamed('Failed', spoken).message).toBe('The server could not be reached');
    expect(failureNamed('Failed', silent).message).toBe('An error occurred');
    expect(failureInWordsOf('thrown', 'Unexpected error').message).toBe('Unexpected error');
  });

  it('a failure that has its words keeps them', () => {
    const missing = new WarmUpFailure('Missing authorizationUrl in response');

    expect(failureNamed('Failed to get authorization URL', missing)).toBe(missing);
    expect(failureInWordsOf(missing, 'Other')).toBe(missing);
  });

  it("§8 what nobody foresaw is 'An error occurred' or 'Unexpected error', with what is known of it beside it", () => {
    const unread = new UnknownError({ message: 'The answer could not be read' });
    const reason = 'The answer could not be read';

    expect(failureNamed('Failed', unread)).toMatchObject({ message: 'An error occurred', reason });
    expect(failureInWordsOf(unread, 'Unexpected error')).toMatchObject({
      message: 'Unexpected error',
      reason,
    });
  });
});

describe('§2 Warm Up: the last error', () => {
  it('§2 is the one that happened last, whichever call it was of', () => {
    const first = new WarmUpFailure('Failed to remove credential');
    const second = new WarmUpFailure('Failed to load authorized credentials');

    expect(lastFailureOf([first, null, second])).toBe(second);
    expect(lastFailureOf([second, first, null])).toBe(second);
    expect(lastFailureOf([null, null])).toBeNull();
  });
});
