import type { RunState } from '@assay/contract';
import { expect, it } from 'vitest';
import { emailsText } from '../format/count-words.ts';
import { runStateWords, waitsInWords } from './run-state-words.ts';

it('names every state but the usual one', () => {
  const states = ['preparing', 'running', 'waiting', 'paused', 'finishing', 'failed', null] as const;
  expect(states.map(runStateWords)).toEqual([
    'Preparing',
    null,
    'Waiting',
    'Paused',
    'Finishing',
    'Failed',
    null,
  ]);
});

it('says for whom rows wait, how many, and until when', () => {
  const wait = {
    host: 'mx.test',
    cause: 'mail_host' as const,
    until: new Date(2026, 10, 16, 14, 32).toISOString(),
    count: 3,
  };
  const ours = { ...wait, host: 'Yahoo', cause: 'our_limits' as const };
  const waiting = [wait, { ...wait, host: 'mx2.test', count: 1 }, ours];
  expect(waitsInWords({ run_state: 'running', waiting }, emailsText)).toEqual([
    'mx.test asked us to come back: 3 emails wait until 14:32',
    'mx2.test asked us to come back: 1 email waits until 14:32',
    'We ask Yahoo slowly, because it blocks those who ask about too many unknown mailboxes: 3 emails wait until 14:32',
  ]);
});

it('a list that waits, but for no host, says that we reach none', () => {
  const waitsOf = (run_state: RunState) => waitsInWords({ run_state, waiting: [] }, emailsText);
  expect(waitsOf('waiting')).toEqual([
    'We cannot reach mail hosts at the moment. The list goes on by itself.',
  ]);
  expect(waitsOf('running')).toEqual([]);
  expect(waitsOf('paused')).toEqual([]);
});
