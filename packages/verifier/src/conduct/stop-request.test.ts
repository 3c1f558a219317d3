import { describe, expect, it } from 'vitest';
import { replyRules } from '../judgement/reply-rules.ts';
import { asksUsToStop, stopRequests } from './stop-request.ts';

describe('a reply that asks us to stop', () => {
  it.each(stopRequests.flatMap(({ replies }) => [...replies]))('%s', (reply) => {
    expect(asksUsToStop(reply, 'jane@example.com')).toBe(true);
    expect(asksUsToStop(reply.toUpperCase(), 'jane@example.com')).toBe(true);
  });

  it.each([
    '550 5.1.1 <jane@example.com>: Recipient address rejected: User unknown',
    '550-Verification failed for <verify@example.com>\n550 Sender verify failed',
    '550 5.7.1 Please check your DNS',
    '554 5.7.1 Access denied, do not retry',
    '550 "stop probing"@example.com: no such user',
  ])('is not %s', (reply) => {
    expect(asksUsToStop(reply, '"stop probing"@example.com')).toBe(false);
  });

  it('is none of the replies that taught us other rules', () => {
    const others = replyRules.flatMap(({ taughtBy }) => taughtBy.map(({ reply }) => reply));
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter((reply) => asksUsToStop(reply, 'jane@example.com'))).toEqual([]);
  });
});
