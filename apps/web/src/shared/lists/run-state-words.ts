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
const waitWords = ({ host, until, count }: ListWait, rowsText: (count: number) => string): string =>
  `${host} asked us to come back: ${rowsText(count)} ${count === 1 ? 'waits' : 'wait'} until ${formatTime(until)}`;
