import type { ListWait, RunState } from '@assay/contract';
import { formatTime } from '../format/dates.ts';
import type { AnyList } from './any-list.ts';

/** What a list does, in a word; null while it simply runs. */
export function runStateWords(runState: RunState | null): string | null {
  return runState === null ? null : words[runState];
}

const words: Readonly<Record<RunState, string | null>> = {
  preparing: 'Preparing',
  running: null,
  waiting: 'Waiting',
  paused: 'Paused',
  finishing: 'Finishing',
  failed: 'Failed',
};

/** What rows of the list wait for, a sentence each. */
export function waitsInWords(
  { run_state, waiting }: Pick<AnyList, 'run_state' | 'waiting'>,
  rowsText: (count: number) => string,
): string[] {
  if (run_state === 'waiting' && waiting.length === 0) return [unreachable];
  return waiting.map((wait) => waitWords(wait, rowsText));
}

const unreachable = 'We cannot reach mail hosts at the moment. The list goes on by itself.';

/** 'mx.example.com asked us to come back: 3 emails wait until 14:32'. */
const waitWords = ({ host, cause, until, count }: ListWait, rowsText: (count: number) => string): string =>
  `${causeWords[cause](host)}: ${rowsText(count)} ${count === 1 ? 'waits' : 'wait'} until ${formatTime(until)}`;

const causeWords: Readonly<Record<ListWait['cause'], (host: string) => string>> = {
  mail_host: (host) => `${host} asked us to come back`,
  our_limits: (provider) =>
    `We ask ${provider} slowly, because it blocks those who ask about too many unknown mailboxes`,
};
