import { expect, it } from 'vitest';
import { singleWaitWords } from './single-wait-words.ts';

const now = new Date('2026-11-18T12:00:00.000Z');
const waiting = (until: string | null) => ({
  cause: 'mail_host' as const,
  host: 'mx.example.com',
  until,
  text: 'Waiting for the mail host of example.com to answer.',
});

it.each([
  ['2026-11-18T12:04:10.000Z', 'Next attempt in 4 min.'],
  ['2026-11-18T12:00:40.000Z', 'Next attempt in 1 min.'],
  ['2026-11-18T12:00:05.000Z', 'Next attempt in less than a minute.'],
  ['2026-11-18T11:59:00.000Z', 'Next attempt in less than a minute.'],
  [null, 'The check goes on by itself.'],
])('says when we try again: %s', (until, words) => {
  expect(singleWaitWords(waiting(until), now)).toBe(
    `Waiting for the mail host of example.com to answer. ${words}`,
  );
});
