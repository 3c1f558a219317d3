import { describe, expect, it } from 'vitest';
import { isExpired, isRefreshDue, type Session } from './session.ts';

const hour = 3_600;
const sessionLiving = (seconds: number): Session => ({
  user_access_token: 'token',
  obtained_at: 0,
  expires_at: seconds,
  subject: 'ada',
});

describe('§4 Session: the token is refreshed when within 1 hour of expiry', () => {
  it('§9 a token of 8 hours: after 7', () => {
    const session = sessionLiving(8 * hour);

    expect(isRefreshDue(session, 7 * hour - 1)).toBe(false);
    expect(isRefreshDue(session, 7 * hour)).toBe(true);
  });

  it('a token of 30 minutes: after half of its life, or it would be refreshed without end', () => {
    const session = sessionLiving(hour / 2);

    expect(isRefreshDue(session, hour / 4 - 1)).toBe(false);
    expect(isRefreshDue(session, hour / 4)).toBe(true);
  });
});

it('a token ends at the second that it expires', () => {
  expect(isExpired(sessionLiving(100), 99)).toBe(false);
  expect(isExpired(sessionLiving(100), 100)).toBe(true);
});
