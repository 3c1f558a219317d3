import { expect, it } from 'vitest';
import { emailsText } from '../format/count-words.ts';
import { runStateWords, waitWords } from './run-state-words.ts';

it('names every state but the usual one', () => {
  expect((['running', 'waiting', 'paused', 'finishing', null] as const).map(runStateWords)).toEqual([
    null,
    'Waiting',
    'Paused',
    'Finishing',
    null,
  ]);
});

it('says for whom rows wait, how many, and until when', () => {
  const wait = { host: 'mx.test', until: '2026-11-16T14:32:00Z', count: 3 };
  expect(waitWords(wait, emailsText, 'UTC')).toBe('mx.test asked us to come back: 3 emails wait until 14:32');
  expect(waitWords({ ...wait, count: 1 }, emailsText, 'UTC')).toContain('1 email waits');
});
