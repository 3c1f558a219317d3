import type { ListWait, RunState } from '@assay/contract';
import { formatTime } from '../format/dates.ts';

/** What a list does, in a word; null while it simply runs. */
export function runStateWords(runState: RunState | null): string | null {
  return runState === null ? null : words[runState];
}

const words: Readonly<Record<RunState, string | null>> = {
  running: null,
  waiting: 'Waiting',
  paused: 'Paused',
  finishing: 'Finishing',
};

/** 'mx.example.com asked us to come back: 3 emails wait until 14:32'. */
export const waitWords = (
  { host, until, count }: ListWait,
  rowsText: (count: number) => string,
  timeZone?: string,
): string =>
  `${host} asked us to come back: ${rowsText(count)} ${count === 1 ? 'waits' : 'wait'} until ${formatTime(until, timeZone)}`;
