import { expect, it } from 'vitest';
import { endedListsMail } from './ended-lists-mail.ts';

const appUrl = 'https://assay.test';
const unsubscribeUrl = `${appUrl}/api/notices/unsubscribe?order=x`;
const envelope = { to: 'ada@customer.test', from: 'no-reply@assay.test', id: 'job-1', unsubscribeUrl };
const list = (name: string) => ({
  kind: 'emails' as const,
  id: `id-${name}`,
  name,
  counts: [
    { name: 'Valid', count: 1_200 },
    { name: 'Invalid', count: 34 },
    { name: 'Catch all', count: 0 },
  ],
  chargedCredits: 1_234,
  problem: null,
});
const failedList = (name: string) => ({
  ...list(name),
  counts: [],
  chargedCredits: 0,
  problem: 'Send the file again.',
});

it('names one list with its page, and carries the headers of RFC 8058', () => {
  const mail = endedListsMail([list('spring')], appUrl, envelope);

  expect(mail.subject).toBe('Your list spring is complete');
  expect(mail.text).toContain(
    'spring\nValid: 1,200\nInvalid: 34\nCredits charged: 1,234\nhttps://assay.test/email-verification/bulk/id-spring\n',
  );
  expect(mail.text).toMatch(/^Your list is complete\n/);
  expect(mail.html).toContain('1,200');
  expect(mail.text).toContain('You get this mail because you verify lists with Assay.');
  expect(mail.text).toContain(unsubscribeUrl);
  expect(mail.headers).toEqual({
    'list-unsubscribe': `<${unsubscribeUrl}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
});

it('counts several lists in one mail', () => {
  const people = { ...list('team'), kind: 'people' as const, id: 'p1' };
  const mail = endedListsMail([list('spring'), people], appUrl, envelope);

  expect(mail.subject).toBe('2 lists are complete');
  expect(mail.text).toContain('https://assay.test/email-guessing/p1\n');
});

it('says why a list failed, and that it cost nothing', () => {
  const mail = endedListsMail([failedList('spring')], appUrl, envelope);

  expect(mail.subject).toBe('Your list spring failed');
  expect(mail.text).toContain(
    'spring\nFailed: Send the file again.\nCredits charged: 0\nhttps://assay.test/email-verification/bulk/id-spring\n',
  );
  expect(mail.text).toContain('See the list:\n');
});

it.each([
  [[list('a'), failedList('b')], '1 list is complete, 1 failed'],
  [[list('a'), list('b'), failedList('c')], '2 lists are complete, 1 failed'],
  [[failedList('a'), failedList('b')], '2 lists failed'],
])('counts failed lists apart: %#', (lists, subject) => {
  expect(endedListsMail(lists, appUrl, envelope).subject).toBe(subject);
});

it('names 20 lists, and says how many more there are', () => {
  const lists = Array.from({ length: 23 }, (_, at) => list(`list-${at + 1}`));
  const mail = endedListsMail(lists, appUrl, envelope);

  expect(mail.subject).toBe('23 lists are complete');
  expect(mail.text).toContain('list-20\n');
  expect(mail.text).not.toContain('list-21\n');
  expect(mail.text).toContain('These are 20 of them. 3 more are in Assay.');
  expect(mail.text).toContain('See your lists:\nhttps://assay.test/email-verification/bulk\n');
});
